"""`make install`, `make uninstall` and `make deb`: programs that are built only from what was installed, and the
names that the library exports."""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

from . import building
from .case import Case, Group, Skipped, failed, verdict

NEEDS = ("build/hosted/libheddle.a",)
FOLDER = "tools/checks/install"
INSTALL = "tools/make/install"
MAKE = "make --no-print-directory"
HEADERS = "user/include/heddle"
LIST = "arch/hosted/public_names.txt"
WARNINGS = "-O2 -Wall -Wextra -Werror"
SHARED, STATIC = "$(pkg-config --cflags --libs heddle)", "$(pkg-config --cflags --libs heddle-static)"
PLUGIN = "-fplugin=$(pkg-config --variable=plugin heddle)"
# What is built and run in a folder with only its sources; the tools that it needs; its last line of output.
BUILT = (
    ("C, the shared library", f"gcc {WARNINGS} consumer.c {SHARED} -o program && ./program", (), "52 by VERSION"),
    ("C, without position-independent code",
     f"gcc {WARNINGS} -fno-pie -no-pie consumer.c {SHARED} -o program && ./program", (), "52 by VERSION"),
    ("C, the archive", f"gcc {WARNINGS} consumer.c {STATIC} -o program && ./program", (), "52 by VERSION"),
    ("C, all static", f"gcc {WARNINGS} -static consumer.c $(pkg-config --static --cflags --libs heddle) -o program && "
                      "./program", (), "52 by VERSION"),
    ("C, in a shared library",
     f"gcc {WARNINGS} -fPIC -shared consumer.c {SHARED} -o libconsumer.so && "
     "python3 -c 'import ctypes; print(ctypes.CDLL(\"./libconsumer.so\").main())'", (), r"(?s)(.*\n)?0(\n|$)"),
    ("names in a back trace", f"gcc {WARNINGS} fault.c {SHARED} -o program && ./program", (),
     r"(?s).*\bback trace.* fall\+.* run\+.* context_begin\+"),
    ("C++", f"g++ -std=c++17 {WARNINGS} consumer.cc {SHARED} -o program && ./program", (), "42 by VERSION"),
    ("the plugin", f"gcc {WARNINGS} {PLUGIN} switched.c {STATIC} -o program && ./program", (), "42 by VERSION"),
    ("the plugin and the shared library, refused",
     f"gcc {WARNINGS} {PLUGIN} switched.c {SHARED} -o program && ! ./program", (),
     "heddle_start: .* compiled with the plugin, .* link it with libheddle.a instead of libheddle.so"),
    ("POSIX's threads", f"gcc {WARNINGS} threads.c $(pkg-config --cflags --libs heddle-posix) -o program && "
                        "nm program | grep -q heddle_pthread_create && ./program", (), "324"),
    ("delegation locks", f"gcc {WARNINGS} delegated.c $(pkg-config --cflags --libs heddle-delegation) -o program && "
                         "./program", (), "985"),
    ("CMake", "cmake -S . -B made -DCMAKE_PREFIX_PATH=$PREFIX && cmake --build made && "
              "./made/switched && ./made/shared && ./made/static", ("cmake",), "52 by VERSION"),
    ("CMake, another version", "sed -i 's/Heddle 0.1/Heddle 0.2/' CMakeLists.txt && "
                               "! cmake -S . -B made -DCMAKE_PREFIX_PATH=$PREFIX 2>&1", ("cmake",),
     r"(?s).*compatible\s+with\s+requested\s+version \"0.2\""),
    ("meson", "meson setup made && ninja -C made && ./made/shared && ./made/static", ("meson", "ninja"),
     "52 by VERSION"),
    ("Python", "python3 consumer.py $LIBDIR/libheddle.so", (), "42 and 45 by VERSION"),
)


def run(command, folder, environment=None):
    """(status, all output) of a shell command."""
    try:
        done = subprocess.run(
            ["sh", "-c", command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace", check=False, timeout=120, env={**building.environment(), **(environment or {})})
    except subprocess.TimeoutExpired as error:
        return -1, f"{error.output or ''}\nit was not done in {error.timeout:.0f} s"
    return done.returncode, done.stdout


def version():
    return run("tools/make/names version", ".")[1].strip()


def surroundings(prefix, libdir, **more):
    """The environment that finds an installed tree, and no other Heddle."""
    return {"PKG_CONFIG_LIBDIR": f"{libdir}/pkgconfig", "LD_LIBRARY_PATH": libdir, "PREFIX": prefix, "LIBDIR": libdir,
            "PATH": os.path.dirname(sys.executable) + ":" + os.environ["PATH"], **more}


def consumed(name, command, tools, wanted, environment):
    missing = [tool for tool in (*tools, "pkg-config") if tool in command and not shutil.which(tool)]
    if missing:
        return Case(name, "skipped", [f"{' and '.join(missing)}: not installed"])
    with tempfile.TemporaryDirectory() as parent:
        folder = shutil.copytree(FOLDER, os.path.join(parent, "consumer"))
        status, said = run(command, folder, environment)
    pattern = wanted.replace("VERSION", re.escape(version()))
    place = said if wanted.startswith("(?s)") else said.strip().rpartition("\n")[2]
    if status == 0 and re.match(pattern, place):
        return Case(name)
    return failed(name, [f"{command}: status {status}; it said:", *said.splitlines()[-20:]])


def made(*words):
    """make's output; raises an error if it fails."""
    right, lines = building.make(*words)
    if not right:
        raise RuntimeError(f"make {' '.join(words)}: " + "\n".join(lines))
    return lines


def install(*words):
    """The command that make runs, without make's own start-up time."""
    status, said = run(f"{INSTALL} {' '.join(words)}", ".")
    if status != 0:
        raise RuntimeError(f"install {' '.join(words)}: {said}")


def files_in(folder):
    return sorted(os.path.relpath(os.path.join(place, name), folder)
                  for place, _, names in os.walk(folder) for name in names)


def removed(parent, prefix):
    """What others have put there stays, and nothing else."""
    other = os.path.join(prefix, "include", "other.h")
    with open(other, "w", encoding="utf-8") as file:
        file.write("\n")
    install(f"--prefix={prefix}")  # over the existing one
    made("uninstall", f"PREFIX={prefix}")
    left = files_in(parent)
    if left != [os.path.relpath(other, parent)]:
        return failed("uninstall", ["there is left, and should be but other.h:", *left])
    shutil.rmtree(prefix)
    install(f"--prefix={prefix}")
    install("--remove", f"--prefix={prefix}")
    return verdict("uninstall", [f"{name} is left" for name in os.listdir(parent)])


def destination(parent):
    """Everything is in DESTDIR, as it will be in the prefix."""
    made("install", "PREFIX=/opt/heddle", f"DESTDIR={parent}/stage", "LIBDIR=lib64")
    library = os.path.join(parent, "stage/opt/heddle/lib64")
    with open(os.path.join(library, "pkgconfig/heddle.pc"), encoding="utf-8") as file:
        text = file.read()
    wrong = [] if "prefix=/opt/heddle\nlibdir=${prefix}/lib64\n" in text else ["heddle.pc names another place:", text]
    wrong += [] if os.path.exists(os.path.join(library, "libheddle.so")) else ["libheddle.so leads to no file"]
    install("--remove", "--prefix=/opt/heddle", f"--destdir={parent}/stage", "--libdir=lib64")
    left = os.listdir(parent)
    return verdict("DESTDIR and LIBDIR", wrong + [f"{name} is left" for name in left])


def programs():
    with tempfile.TemporaryDirectory() as parent:
        prefix = os.path.join(parent, "heddle")
        made("install", f"PREFIX={prefix}")
        environment = surroundings(prefix, os.path.join(prefix, "lib"))
        cases = [consumed(*each, environment) for each in BUILT] + [exported(os.path.join(prefix, "lib"))]
        return cases + [removed(parent, prefix)]


def staged():
    with tempfile.TemporaryDirectory() as parent:
        return destination(parent)


# ------------------------------------------------------------------------------------------- bad input --

# A command, and its error; FILE is a file, FOLDER an empty folder, HALF one whose share is a file.
REFUSED = (
    (f"{INSTALL} --prefix=", "install: PREFIX is empty"),
    (f"{MAKE} install PREFIX=heddle", "install: PREFIX=heddle is relative; .* as PREFIX=/"),
    (f"{INSTALL} --prefix=FILE/heddle", "install: FILE.* cannot be written .*: choose another PREFIX"),
    (f"{INSTALL} --prefix=HALF", "install: HALF/share cannot be written .*: choose another PREFIX"),
    (f"{INSTALL} --prefix=/proc/heddle", "install: /proc/heddle cannot be written .*: choose another PREFIX"),
    (f"{INSTALL} '--prefix=FOLDER/a b'", "install: PREFIX=FOLDER/a b has the character ' '"),
    (f"{MAKE} install 'PREFIX=FOLDER/\"$$(touch FOLDER/x)'", "install: PREFIX=FOLDER/.* has the character '\"'"),
    (f"{INSTALL} --prefix=FOLDER --libdir=../lib", "install: LIBDIR=../lib is not a folder below PREFIX"),
    (f"{MAKE} uninstall PREFIX=FOLDER",
     "uninstall: there is nothing to remove: FOLDER/lib/heddle/installed.txt is missing"),
)


def everything(folder):
    """Files and folders."""
    return {os.path.join(place, name) for place, folders, names in os.walk(folder) for name in folders + names}


def refused(words, wanted, parent):
    def put(text):
        return re.sub("FILE|FOLDER|HALF", lambda found: os.path.join(parent, found[0].lower()), text)

    before = everything(parent)
    status, said = run(put(words), ".")
    sentences = [line for line in said.splitlines() if not line.startswith(("make", "  "))]
    wrong = [f"there came or went: {name}" for name in sorted(before ^ everything(parent))]
    if status == 0 or len(sentences) != 1 or not re.match(put(wanted), sentences[0]):
        wrong += [f"status {status}; it said:", *said.splitlines()]
    return verdict(words, wrong)


def refusals():
    with tempfile.TemporaryDirectory() as parent:
        for name in ("folder", "half"):
            os.mkdir(os.path.join(parent, name))
        for name in ("file", "half/share"):
            with open(os.path.join(parent, name), "w", encoding="utf-8"):
                pass
        return [refused(words, wanted, parent) for words, wanted in REFUSED]


# --------------------------------------------------------------------------------------------- package --

def package():
    missing = [tool for tool in ("dpkg-deb", "dpkg-shlibdeps") if not shutil.which(tool)]
    if missing:
        raise Skipped(f"{' and '.join(missing)}: not installed")
    path = made("deb")[-1].removeprefix("deb: ")
    with tempfile.TemporaryDirectory() as parent:
        root = os.path.join(parent, "root")
        status, said = run(f"dpkg-deb -x {path} {root} && dpkg-deb --field {path}", ".")
        if status != 0:
            return [failed("it can be unpacked", said.splitlines())]
        library = os.path.dirname(glob.glob(f"{root}/usr/lib/**/libheddle.a", recursive=True)[0])
        environment = surroundings(f"{root}/usr", library, PKG_CONFIG_SYSROOT_DIR=root)
        return [described(said), consumed(*BUILT[0], environment), consumed(*BUILT[2], environment),
                strangers(root, files_in(root))]


def described(said):
    compiler = run("gcc -dumpfullversion", ".")[1].strip()
    wanted = (rf"^Package: heddle\nVersion: {re.escape(version())}\nArchitecture: ",
              r"^Depends: (?=.*\blibc6 \(>= [\d.]+\))(?=.*\blibstdc\+\+6 \(>= )(?=.*\blibc6-dev)",
              rf"^Recommends: gcc-\d+ \(>= {re.escape(compiler)}\), gcc-\d+ \(<< ")
    return verdict("what it needs", [f"the fields do not match {pattern}:\n{said}" for pattern in wanted
                                     if not re.search(pattern, said, re.MULTILINE)])


def names_path(text, path):
    """Whether a text has the path in it, and not as the rest of a longer one, as /usr/include/heddle has /heddle."""
    path = path.encode()
    if path not in text:
        return False
    found = re.finditer(rb"([\w.${}+/-]*?)" + re.escape(path), text)
    return any(b"/" not in before[1] and not before[1].endswith(b"}") for before in found)


def strangers(root, files):
    """Everything that is installed, and nothing else; no file names the tree where it was built."""
    with tempfile.TemporaryDirectory() as parent:
        libdir = os.path.relpath(os.path.dirname(glob.glob(f"{root}/usr/lib/**/libheddle.a", recursive=True)[0]),
                                 f"{root}/usr")
        install("--prefix=/usr", f"--destdir={parent}", f"--libdir={libdir}")
        different = set(files) ^ set(files_in(parent))
    wrong = [f"{name} is in one of the two alone" for name in different if not name.endswith("heddle/installed.txt")]
    for name in files:
        with open(os.path.join(root, name), "rb") as file:
            wrong += [f"{name} names the tree that it was built in"] if names_path(file.read(), os.getcwd()) else []
    return verdict("its files", wrong)


# ----------------------------------------------------------------------------------------------- names --

DECLARED = re.compile(r"^/\* (?:\./)?(\S+?):\d+:\S+ \*/ extern .*?(\w+) \(", re.MULTILINE)
VARIABLE = re.compile(r"^extern [^(\n]*?(\w+)(?:\[\])?;", re.MULTILINE)


def public_headers():
    """Except those of programs that are linked into Heddle's own, and those of other archives."""
    found = glob.glob(f"{HEADERS}/**/*.h", recursive=True)
    return sorted(os.path.relpath(name, "user/include") for name in found
                  if not re.search(r"/program\.h$|/p?threads?\w*\.h$|/posix/|/delegation/", name))


def declared():
    """The names that each header declares."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for header in public_headers():
            prototypes, path = os.path.join(folder, "prototypes"), os.path.join("user/include", header)
            done = subprocess.run(["gcc", "-std=gnu17", "-Iuser/include", "-aux-info", prototypes, "-fsyntax-only",
                                   "-x", "c", path], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise RuntimeError(f"{header}: {done.stderr}")
            with open(prototypes, encoding="utf-8") as file:
                names = {name for place, name in DECLARED.findall(file.read()) if place == path}
            with open(path, encoding="utf-8") as file:
                names.update(VARIABLE.findall(file.read()))
            if names:
                found[header] = names
    return found


def listed():
    """The names under each heading of the list."""
    found, names = {}, set()
    with open(LIST, encoding="utf-8") as file:
        for line in filter(None, (line.split("#")[0].strip() for line in file)):
            if line.startswith("["):
                names = found[line.strip("[]")] = set()
            else:
                names.add(line)
    return found


def differences(headers, names):
    """Sentences: the differences between a header and the list."""
    for header in sorted({*headers, *names}):
        for name in sorted(headers.get(header, set()) - names.get(header, set())):
            yield f"{header} declares {name}, which is not under [{header}] in {LIST}"
        for name in sorted(names.get(header, set()) - headers.get(header, set())):
            yield f"{LIST} has {name} under [{header}], which does not declare it"


def interface():
    return {header: names for header, names in listed().items() if header not in ("plugin", "ways", "instead")}


def names():
    return [names_agree(), differences_are_found()]


def names_agree():
    return verdict("the list is what the headers declare", list(differences(declared(), interface())))


def differences_are_found():
    headers, names = {"a.h": {"one", "two"}, "b.h": {"three"}}, {"a.h": {"one", "four"}}
    said = " ".join(differences(headers, names))
    wanted = ("a.h declares two,", "has four under [a.h]", "b.h declares three,")
    missing = [f"not found: {text}" for text in wanted if text not in said]
    return verdict("a name in one of them alone is found", missing)


def globals_of(command):
    done = subprocess.run(command.split(), capture_output=True, text=True, check=True)
    return {line.split()[-1].split("@")[0] for line in done.stdout.splitlines() if len(line.split()) > 2}


def exported(library):
    """For both installed libraries."""
    found, own = listed(), set().union(*interface().values())
    series = "HEDDLE_" + version().rpartition(".")[0]
    shared = globals_of(f"nm -D --defined-only {library}/libheddle.so") - {series}
    static = globals_of(f"nm -g --defined-only {library}/libheddle.a")
    second = {name.partition(".")[0] for name in static if ".heddle" in name}
    wrong = [f"{name}: the shared library and the list do not agree" for name in sorted(shared ^ own)]
    plain = {name for name in static if ".heddle" not in name}
    wrong += [f"{name}: the archive and the list do not agree" for name in sorted(plain ^ (own | found["plugin"]))]
    wrong += [f"{name}.heddle: the archive has it, and the list does not allow it"
              for name in sorted(second - own - found["plugin"] - found["ways"])]
    wrong += [f"{name}.heddle: the archive does not have it" for name in sorted(found["ways"] - second)]
    soname = run(f"readelf -d {library}/libheddle.so", ".")[1]
    if f"soname: [libheddle.so.{version().rpartition('.')[0]}]" not in soname:
        wrong.append("the shared library does not say its version")
    return verdict("the names that the libraries have", wrong)


def groups():
    return [
        Group("install: the library's names are those of its headers", names),
        Group("install: programs from what was installed", lambda: [*programs(), staged()]),
        Group("install: what cannot be installed is refused", refusals),
        Group("install: a package of the distribution", package),
    ]
