#!/bin/bash -eu
# Builds all fuzz targets into $OUT, each with its seed inputs. OSS-Fuzz sets the compilers, their flags and the fuzzing engine.
cmake -S "$SRC/diorama" -B "$WORK/diorama" -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_UNITY_BUILD=ON -DDIORAMA_APPS=OFF -DDIORAMA_FUZZ=ON \
  -DDIORAMA_FUZZING_ENGINE="$LIB_FUZZING_ENGINE"
cmake --build "$WORK/diorama"
for target in "$WORK"/diorama/fuzz_*; do
  name=$(basename "$target")
  cp "$target" "$OUT/"
  printf '[libfuzzer]\nrss_limit_mb = 2560\ntimeout = 60\n' >"$OUT/$name.options"
  zip -q -j "$OUT/${name}_seed_corpus.zip" "$SRC/diorama/tests/fuzz/corpus/${name#fuzz_}"/*
done
