; The unchanged scripts of scripts/, and a table of them for each interpreter (struct script, script.h).

; table NAME, ENDING: starts a table of the scripts that follow, in files with that ending.
%macro table 2
	%xdefine ending %2
	section .data.rel.ro
	global %1:data hidden
%1:
%endmacro

%macro script 1
	%defstr %%word %1
	%strcat %%path "user/ports/scripts/", %%word, ending
	section .rodata
%%name:
	db %%word, 0
%%text:
	incbin %%path
%%end:
	section .data.rel.ro
	dq %%name, %%text, %%end - %%text
%endmacro

%macro table_end 0
	section .data.rel.ro
	dq 0, 0, 0
%endmacro

section .note.GNU-stack noalloc noexec nowrite progbits
section .data.rel.ro progbits alloc noexec write align=8

table scripts_lua, ".lua"
	script recursion
	script strings
	script sort
	script coroutines
	script patterns
	script errors
	script sieve
	script mandelbrot
	script garbage
	script depth ; must be the last, see script.h
	table_end

table scripts_duktape, ".js"
	script recursion
	script strings
	script sort
	script closures
	script patterns
	script errors
	script sieve
	script mandelbrot
	script garbage
	script json
	script depth ; must be the last, see script.h
	table_end
