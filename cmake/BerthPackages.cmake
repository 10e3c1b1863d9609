# Debian packages: `cpack -G DEB --config build/release/CPackConfig.cmake -B build/packages`, or scripts/package. The
# debug information is in separate packages, named NAME-dbgsym.
#   berth          the programs, their manual pages, and a systemd service
#   berth-plugins  the plugins of this repository
#   berth-sdk      headers, CMake functions, templates, and the sources of the Rust crate; berthctl of `berth` validates plugins
include(GNUInstallDirs)

# Files outside of the prefix: only packages contain them, because `cmake --install --prefix` would write them to /etc.
install(FILES "${PROJECT_SOURCE_DIR}/cmake/packaging/scheduler-config.yaml" DESTINATION /etc/berth COMPONENT service)
install(FILES "${PROJECT_SOURCE_DIR}/cmake/packaging/berth-scheduler.default" DESTINATION /etc/default RENAME berth-scheduler
  COMPONENT service)
install(FILES "${PROJECT_SOURCE_DIR}/cmake/packaging/berth-scheduler.service" DESTINATION lib/systemd/system COMPONENT service)
install(FILES "${PROJECT_SOURCE_DIR}/cmake/packaging/berth.sysusers" DESTINATION lib/sysusers.d RENAME berth.conf COMPONENT service)
foreach(GROUP berth berth-plugins berth-sdk)
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "share/doc/${GROUP}" RENAME copyright COMPONENT "${GROUP}-copyright")
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME berth)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_CONTACT "The Berth maintainers <maintainers@berth.dev>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Kubernetes scheduler whose policies are plugins")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_COMPONENTS_ALL berth-scheduler berth-controllers berthctl service plugins sdk berth-copyright berth-plugins-copyright
  berth-sdk-copyright)
set(CPACK_STRIP_FILES OFF)  # the generator strips, after it has copied the debug information
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
if(CMAKE_CROSSCOMPILING)
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE "${BERTH_DEBIAN_ARCHITECTURE}")
endif()
set(CPACK_DEBIAN_PACKAGE_SECTION admin)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

set(CPACK_DEBIAN_BERTH_PACKAGE_NAME berth)
set(CPACK_COMPONENT_BERTH_DESCRIPTION "Kubernetes scheduler whose policies are plugins
 The scheduler berth-scheduler, the program berth-controllers, which writes the
 statuses of PodGroups and ElasticQuotas, and the tool berthctl, which checks
 configurations, simulates scheduling, and validates plugins.")
set(CPACK_DEBIAN_BERTH_PACKAGE_DEPENDS "berth-plugins (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_BERTH_PACKAGE_SUGGESTS "kubectl | kubernetes-client")
set(CPACK_DEBIAN_BERTH_PACKAGE_CONTROL_EXTRA "${PROJECT_SOURCE_DIR}/cmake/packaging/debian/conffiles"
  "${PROJECT_SOURCE_DIR}/cmake/packaging/debian/postinst" "${PROJECT_SOURCE_DIR}/cmake/packaging/debian/prerm"
  "${PROJECT_SOURCE_DIR}/cmake/packaging/debian/postrm")
set(CPACK_DEBIAN_BERTH_DEBUGINFO_PACKAGE ON)

set(CPACK_DEBIAN_BERTH-PLUGINS_PACKAGE_NAME berth-plugins)
set(CPACK_COMPONENT_BERTH-PLUGINS_DESCRIPTION "Plugins of Berth, a Kubernetes scheduler
 The default plugins of kube-scheduler, and examples.")
set(CPACK_DEBIAN_BERTH-PLUGINS_DEBUGINFO_PACKAGE ON)

set(CPACK_DEBIAN_BERTH-SDK_PACKAGE_NAME berth-sdk)
set(CPACK_DEBIAN_BERTH-SDK_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_BERTH-SDK_DESCRIPTION "SDK for plugins of Berth, a Kubernetes scheduler
 Headers for C and C++, CMake functions, templates, a fake host for tests, and
 the sources of the Rust crate.")
set(CPACK_DEBIAN_BERTH-SDK_PACKAGE_DEPENDS "berth (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_BERTH-SDK_PACKAGE_RECOMMENDS "cmake, g++, libgmock-dev")
set(CPACK_DEBIAN_BERTH-SDK_DEBUGINFO_PACKAGE ON)

include(CPack)
cpack_add_component_group(berth)
cpack_add_component_group(berth-plugins)
cpack_add_component_group(berth-sdk)
foreach(COMPONENT berth-scheduler berth-controllers berthctl service berth-copyright)
  cpack_add_component(${COMPONENT} GROUP berth)
endforeach()
foreach(COMPONENT plugins berth-plugins-copyright)
  cpack_add_component(${COMPONENT} GROUP berth-plugins)
endforeach()
foreach(COMPONENT sdk berth-sdk-copyright)
  cpack_add_component(${COMPONENT} GROUP berth-sdk)
endforeach()
