#!/bin/sh
# damage.sh LIBRARY OBJECT DIRECTORY: makes files that are no libraries (BP-1, BP-5, BP-6, BP-8) from a good library.
set -eu
library=$1
object=$2
out=$3

# patch NAME OFFSET BYTES: copies the library and replaces the bytes at an offset with BYTES (printf escapes).
patch() {
  cp "$library" "$out/$1.so"
  printf "$3" | dd of="$out/$1.so" bs=1 seek="$2" conv=notrunc status=none
}

patch elf32 4 '\001'               # EI_CLASS = ELFCLASS32
patch big_endian 5 '\002'          # EI_DATA = ELFDATA2MSB
patch other_machine 18 '\363\000'  # e_machine = EM_RISCV
# Berth is built for EM_X86_64 and EM_AARCH64. This is the one that the library is not for.
case $(od -An -tu1 -j18 -N1 "$library") in
  *183) patch built_elsewhere 18 '\076\000' ;;
  *) patch built_elsewhere 18 '\267\000' ;;
esac
size=$(wc -c <"$library")
head -c $((size / 2)) "$library" >"$out/truncated.so"
echo 'This is a text.' >"$out/not_elf.so"
cp "$object" "$out/object_file.so"
: >"$out/empty.so"
