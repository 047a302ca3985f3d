# Heddle::shared libheddle.so Heddle::static libheddle.a Heddle::plugin libheddle.a, and targets that link it are
# compiled with the plugin (GCC)
include(CMakeFindDependencyMacro)
find_dependency(Threads)

get_filename_component(Heddle_LIBDIR "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
get_filename_component(Heddle_PREFIX "${Heddle_LIBDIR}/@UP@" ABSOLUTE)
set(Heddle_PLUGIN "${Heddle_LIBDIR}/heddle/@COMPILER@/heddle.so")

if(NOT TARGET Heddle::shared)
  add_library(Heddle::shared SHARED IMPORTED)
  add_library(Heddle::static STATIC IMPORTED)
  add_library(Heddle::plugin INTERFACE IMPORTED)
  set_target_properties(Heddle::shared PROPERTIES
    IMPORTED_LOCATION "${Heddle_LIBDIR}/@LIBRARY@"
    IMPORTED_SONAME "@SONAME@")
  set_target_properties(Heddle::static PROPERTIES
    IMPORTED_LOCATION "${Heddle_LIBDIR}/libheddle.a")
  set_target_properties(Heddle::shared Heddle::static PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${Heddle_PREFIX}/include"
    INTERFACE_LINK_OPTIONS "-Wl,-z,now"
    INTERFACE_LINK_LIBRARIES Threads::Threads)
  set_target_properties(Heddle::plugin PROPERTIES
    INTERFACE_COMPILE_OPTIONS "-fplugin=${Heddle_PLUGIN}"
    INTERFACE_LINK_LIBRARIES Heddle::static)
endif()
