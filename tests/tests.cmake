# Every test, as CTest knows it. In a tree that `./dev test` has built:
#     ctest --test-dir build/release -R golden --output-on-failure
# Labels: `quick` answers within two minutes; `full` needs the module, the viewer's page or the programs with sanitizers; tests with
# neither are the rest of `./dev test`. `browser` opens Chromium. What a test prints ends with `N passed, N failed`, or counts as one.
set(root ${PROJECT_SOURCE_DIR})
set(build ${PROJECT_SOURCE_DIR}/build)  # of all presets
set(release ${CMAKE_BINARY_DIR})
set(dio ${release}/dio)

# COST: about how many seconds it takes: the longest ones begin first. THREADS: it keeps all processors busy, and runs alone.
function(dio_test name)
  cmake_parse_arguments(one "THREADS" "COST" "LABELS;ENVIRONMENT;COMMAND" ${ARGN})
  add_test(NAME ${name} COMMAND ${one_COMMAND} WORKING_DIRECTORY ${root})
  set_tests_properties(${name} PROPERTIES LABELS "${one_LABELS}" ENVIRONMENT "${one_ENVIRONMENT}" COST "${one_COST}" TIMEOUT 3600)
  if(one_THREADS)
    cmake_host_system_information(RESULT processors QUERY NUMBER_OF_LOGICAL_CORES)
    set_tests_properties(${name} PROPERTIES PROCESSORS ${processors})
  endif()
endfunction()

# Unit tests in pieces, so that they run in parallel.
function(unit_test_pieces name program count)
  math(EXPR last "${count} - 1")
  foreach(piece RANGE ${last})
    dio_test(${name}.${piece} COMMAND ${program} --gtest_brief=1 ENVIRONMENT GTEST_TOTAL_SHARDS=${count} GTEST_SHARD_INDEX=${piece} ${ARGN})
  endforeach()
endfunction()

unit_test_pieces(unit ${release}/unit_tests 8 LABELS quick COST 20)
dio_test(golden COMMAND tests/golden/run --dio ${dio} LABELS quick COST 60 THREADS)
dio_test(suggestions COMMAND tests/suggestions/run ${dio} LABELS quick COST 15 THREADS)
dio_test(must-not-compile COMMAND tests/must_not_compile/run LABELS quick COST 15)
dio_test(format COMMAND ${root}/dev format --check LABELS quick COST 10)
foreach(check check_words check_folders check_deps)
  dio_test(${check} COMMAND tools/${check} LABELS quick)
endforeach()
dio_test(check_deps_self COMMAND tools/check_deps --self-test LABELS quick)
dio_test(write-damaged COMMAND sh -c "cd \"$(mktemp -d)\" && ! ${release}/write_damaged --help 2>usage && test \"$(ls)\" = usage" LABELS quick)
dio_test(summary COMMAND tests/summary --self-test LABELS quick)
dio_test(rule-examples COMMAND docs/site/check_examples ${dio} LABELS quick)
dio_test(bindings COMMAND tools/make_bindings --check LABELS quick)

file(GLOB guides CONFIGURE_DEPENDS RELATIVE ${root} docs/guide/*.md)
dio_test(documents COMMAND tests/golden/run --dio ${dio} README.md ${guides} LABELS quick COST 12)
dio_test(pictures COMMAND docs/site/check_pictures ${dio} COST 10)
dio_test(format-pages COMMAND docs/site/check_format_pages ${dio} LABELS quick COST 3)
dio_test(oracle COMMAND tests/oracle/run ${dio} COST 182)
dio_test(json COMMAND tests/json/run ${dio} COST 60 THREADS)
dio_test(json_schema COMMAND tests/json/validate ${dio} COST 30 THREADS)
# With Debian's Python, which has the packages that the tests use.
dio_test(python COMMAND /usr/bin/python3 tests/python/run ${release} COST 80)
dio_test(batch COMMAND /usr/bin/python3 tests/batch/run ${release} LABELS full COST 10)
set_tests_properties(batch PROPERTIES SKIP_RETURN_CODE 77)
dio_test(install COMMAND tests/install/run ${release} COST 30)
dio_test(hostile COMMAND tests/hostile/run ${dio} COST 70)
dio_test(newcomer COMMAND tests/newcomer/run ${release} COST 30)
dio_test(compiler-cache COMMAND tests/compiler_cache/run COST 9)

# With sanitizers. What was freed is kept from use for 16 MB, instead of 256 MB: memory that is new each time takes longer. Use after
# return is looked for by the golden tests and by fuzzing: it takes a fifth of the time.
set(asan_options ASAN_OPTIONS=quarantine_size_mb=16:malloc_context_size=8:detect_stack_use_after_return=0 UBSAN_OPTIONS=print_stacktrace=1)
unit_test_pieces(sanitized.unit ${build}/asan/unit_tests 16 ${asan_options} LABELS full COST 60)
dio_test(sanitized.golden COMMAND tests/golden/run --dio ${build}/asan/dio LABELS full COST 120 THREADS)
file(GLOB fuzz_targets CONFIGURE_DEPENDS RELATIVE ${root}/tests/fuzz/corpus ${root}/tests/fuzz/corpus/*)
foreach(target ${fuzz_targets})  # what fuzzing has found
  dio_test(sanitized.fuzz.${target} COMMAND ${build}/asan/replay_${target} tests/fuzz/corpus/${target} ENVIRONMENT ${asan_options} LABELS full COST 5)
endforeach()
dio_test(sanitized.view COMMAND tests/view/run ${build}/asan/dio LABELS full COST 20)

# Through the real Blender; the add-on if its zip is there.
dio_test(blender COMMAND tests/blender/run ${dio} --addon "${build}/packages/diorama-blender-*.zip" LABELS full COST 80 THREADS)
set_tests_properties(blender PROPERTIES SKIP_RETURN_CODE 77)

# The module, the viewer's page, the site. Pages are opened one after another: two browsers at once make each other wait.
dio_test(site COMMAND tests/site/run ${dio} ${build}/site ${build}/damaged LABELS full COST 10)
file(GLOB web_tests CONFIGURE_DEPENDS RELATIVE ${root}/tests/web tests/web/*.test.mjs)
foreach(file ${web_tests})
  string(REPLACE .test.mjs "" name ${file})
  file(STRINGS tests/web/${file} opens_browser REGEX "browser|page\\.mjs|viewer_page")
  set(labels full)
  if(opens_browser)
    list(APPEND labels browser)
  endif()
  dio_test(web.${name} COMMAND tests/web/run ${build} ${file} LABELS ${labels} COST 50)
  if(opens_browser)
    set_tests_properties(web.${name} PROPERTIES RESOURCE_LOCK browser)
  endif()
endforeach()
