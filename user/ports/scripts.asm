; The scripts of scripts/ as they stand, and the table of them (struct script, script.h).

%macro script 1
	%defstr %%word %1
	%strcat %%path "user/ports/scripts/", %%word, ".lua"
	section .rodata
%%name:
	db %%word, 0
%%text:
	incbin %%path
%%end:
	section .data.rel.ro
	dq %%name, %%text, %%end - %%text
%endmacro

section .note.GNU-stack noalloc noexec nowrite progbits
section .data.rel.ro progbits alloc noexec write align=8
global scripts:data hidden
scripts:
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
	dq 0, 0, 0
