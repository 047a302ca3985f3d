"""The libraries: the source package of each, and how its own way to build is called. It is told only CC, CXX, CFLAGS
and CXXFLAGS."""

from dataclasses import dataclass

from harness import settings

CMAKE = ("cmake -S {source} -B . -DCMAKE_BUILD_TYPE= -DBUILD_SHARED_LIBS=OFF", "cmake --build . --target")


@dataclass
class Library:
    """`commands` are run in the library's build folder, {source} being its sources. `copied`: the folder is a copy of
    the sources. `include` and `archives` may contain both."""

    name: str
    package: str
    commands: tuple
    archives: tuple = ()
    include: tuple = ("{source}",)
    copied: bool = False


def by_cmake(name, package, folder, options, targets, archives, include):
    configure, build = CMAKE
    configure = configure.format(source="{source}" + folder)
    return Library(name, package, (f"{configure} {options}".split(), f"{build} {targets}".split()), archives, include)


def by_make(name, package, target, archive, include=("{source}",), more=()):
    command = ["make", "-s", *more, "CC={compiler}", "CFLAGS={flags}", *target.split()]
    return Library(name, package, (command,), (archive,), include, copied=True)


ALL = (
    by_make("bzip2", "bzip2", "libbz2.a", "libbz2.a"),
    by_make("lua", "lua5.4", "-C src liblua.a", "src/liblua.a", ("{source}/src",)),
    # It has a part in assembly, which would be foreign.
    by_make("zstd", "libzstd", "-C lib libzstd.a", "lib/libzstd.a", ("{source}/lib",), ("ZSTD_NO_ASM=1",)),
    by_cmake("brotli", "brotli", "", "-DBROTLI_DISABLE_TESTS=ON",
             "brotlienc-static brotlidec-static brotlicommon-static",
             ("libbrotlienc-static.a", "libbrotlidec-static.a", "libbrotlicommon-static.a"), ("{source}/c/include",)),
    by_cmake("lz4", "lz4", "/build/cmake", "-DBUILD_STATIC_LIBS=ON -DLZ4_BUILD_CLI=OFF -DLZ4_BUILD_LEGACY_LZ4C=OFF",
             "lz4_static", ("liblz4.a",), ("{source}/lib",)),
    by_cmake("snappy", "snappy", "", "-DSNAPPY_BUILD_TESTS=OFF -DSNAPPY_BUILD_BENCHMARKS=OFF", "snappy",
             ("libsnappy.a",), ("{source}", "{folder}")),
    by_cmake("expat", "expat", "/expat", "-DEXPAT_SHARED_LIBS=OFF -DEXPAT_BUILD_TESTS=OFF -DEXPAT_BUILD_TOOLS=OFF "
             "-DEXPAT_BUILD_EXAMPLES=OFF", "expat", ("libexpat.a",), ("{source}/expat/lib",)),
    by_cmake("tinyxml2", "tinyxml2", "", "-DBUILD_TESTING=OFF", "tinyxml2", ("libtinyxml2.a",), ("{source}",)),
    Library("json", "nlohmann-json3", (), (), ("{source}/single_include",)),
    by_make("mujs", "mujs", "build/release/libmujs.a", "build/release/libmujs.a"),
    Library("duktape", "duktape", (
        ["sh", "-c", "{compiler} {flags} -c {source}/src/duktape.c -o duktape.o"],
        ["ar", "rcs", "libduktape.a", "duktape.o"]), ("libduktape.a",), ("{source}/src",)),
    Library("qrencode", "qrencode", (
        ["{source}/configure", "--without-tools", "--disable-shared"], ["make", "-s"]),
        (".libs/libqrencode.a",)),
    Library("sqlite3", "sqlite3", (
        ["{source}/configure", "--disable-readline", "--disable-tcl", "--disable-shared"],
        ["make", "-s", "libsqlite3.la"]), (".libs/libsqlite3.a",), ("{folder}",)),
)


def chosen(names):
    """The libraries of these names, each of which may stand for several; all if there is none."""
    known = {library.name: library for library in ALL}
    asked = " ".join(names).split()
    for name in asked:
        settings.one_of("LIBRARY", name, tuple(known))
    return [known[name] for name in asked] or list(ALL)
