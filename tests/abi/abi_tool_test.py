#!/usr/bin/env python3
"""sdk/abi/abi_tool.py refuses incompatible changes and accepts compatible ones. Each case edits a copy of the headers."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SDK = pathlib.Path(__file__).resolve().parents[2] / "sdk"
TOOL = SDK / "abi" / "abi_tool.py"
MINOR = int(re.search(r"BERTH_ABI_MINOR (\d+)u", (SDK / "include/berth/abi.h").read_text())[1])


class AbiToolTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.include = self.folder / "include"
        shutil.copytree(SDK / "include", self.include)
        self.golden = self.folder / "v1.dump"
        self.golden.write_text(self.run_tool("dump").stdout)

    def run_tool(self, command, *more):
        return subprocess.run(
            [sys.executable, str(TOOL), command, "--include", str(self.include), "--golden", str(self.golden),
             "--cc", os.environ.get("CC", "cc"), *more], text=True, capture_output=True, check=False)

    def edit(self, header, old, new):
        path = self.include / "berth" / header
        text = path.read_text()
        self.assertEqual(text.count(old), 1, f"{old!r} in {header}")
        path.write_text(text.replace(old, new))

    def refused(self, *words):
        run = self.run_tool("check")
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        for word in words:
            self.assertIn(word, run.stderr)

    def accepted(self):
        run = self.run_tool("check")
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def test_nothing_changed(self):
        self.assertEqual(self.accepted(), "")

    def test_comments_names_of_parameters_and_white_space_do_not_count(self):
        self.edit("abi.h", "(berth_op *op, berth_status status,", "(berth_op *o,   berth_status /* how it ended */ s,")
        self.assertEqual(self.accepted(), "")

    def test_reordered_fields(self):
        self.edit("node.h", "berth_id key, value, effect;", "berth_id value, key, effect;")
        self.refused("berth_taint.key is no longer at its place")

    def test_changed_type_of_the_same_size(self):
        self.edit("node.h", "int64_t bytes; ", "uint64_t bytes; ")
        self.refused("berth_image.bytes was of type int64_t and is of type uint64_t")

    def test_changed_type_of_another_size(self):
        self.edit("pod.h", "int32_t port; ", "int64_t port; ")
        self.refused("berth_host_port.port")

    def test_changed_signature(self):
        self.edit("abi.h", "(berth_op *op, berth_status status, const berth_str *reasons, uint32_t n)",
                  "(berth_op *op, berth_status status, const berth_str *reasons, uint64_t n)")
        self.refused("berth_op.done was of type")

    def test_changed_signature_of_the_entry(self):
        self.edit("entry.h", "berth_entry_v1(uint32_t host_abi_minor)", "berth_entry_v1(uint64_t host_abi_minor)")
        self.refused("function berth_entry_v1")

    def test_changed_constant(self):
        self.edit("abi.h", "#define BERTH_SKIP 5", "#define BERTH_SKIP 7")
        self.refused("constant BERTH_SKIP was int32_t 5 and is int32_t 7")

    def test_constant_of_another_type(self):
        self.edit("abi.h", "#define BERTH_SKIP 5", "#define BERTH_SKIP 5u")
        self.refused("constant BERTH_SKIP")

    def test_removed_constant(self):
        self.edit("abi.h", "#define BERTH_SKIP 5", "")
        self.refused("constant BERTH_SKIP is gone")

    def test_changed_id(self):
        self.edit("host.h", '"berth.host.log/1"', '"berth.host.log/2"')
        self.refused("id BERTH_SERVICE_LOG")

    def test_inserted_field(self):
        self.edit("node.h", "  uint32_t rows, flags;\n", "  uint32_t rows, flags;\n  uint64_t stride;\n")
        self.refused("berth_column.cells is no longer at its place")

    def test_renamed_field(self):
        self.edit("node.h", "const void *cells;", "const void *data;")
        self.refused("berth_column.cells is gone")

    def test_removed_struct(self):
        self.edit("node.h", "} berth_image;", "} berth_picture;")
        self.edit("node.h", "typedef struct berth_image {", "typedef struct berth_picture {")
        (self.include / "berth" / "host.h").write_text(
            (self.include / "berth" / "host.h").read_text().replace("berth_image", "berth_picture"))
        self.refused("struct berth_image is gone")

    def test_field_in_what_was_padding(self):
        self.edit("abi.h", "  uint32_t size, rsv;\n  void (*done)", "  uint32_t size;\n  void (*done)")
        self.golden.write_text(self.run_tool("dump").stdout)
        self.edit("abi.h", "  uint32_t size;\n  void (*done)", "  uint32_t size, rsv;\n  void (*done)")
        self.refused("berth_op.done")

    def test_field_in_tail_padding(self):
        self.edit("node.h", "  const void *cells;\n", "  const void *cells;\n  uint32_t one;\n")
        self.golden.write_text(self.run_tool("dump").stdout)
        self.edit("node.h", "  uint32_t one;\n", "  uint32_t one;\n  uint32_t two;\n")
        self.refused("berth_column.two lies in what was padding")

    def test_frozen_structs_do_not_grow(self):
        self.edit("abi.h", "} berth_verdict;", "  uint64_t more;\n} berth_verdict;")
        self.refused("berth_verdict is frozen")

    def test_structs_passed_by_value_are_frozen(self):
        self.edit("abi.h", "  uint32_t n, stride;\n", "  uint32_t n, stride;\n  uint64_t more;\n")
        self.refused("berth_list is frozen")

    def test_an_embedded_struct_cannot_grow(self):
        self.edit("plugin.h", "} berth_reuse;", "  uint64_t more;\n} berth_reuse;")
        self.refused("berth_filter.filter was at")

    def test_unknown_declarations_are_errors(self):
        self.edit("node.h", "  const void *cells;\n", "  union { const void *cells; uint64_t bits; } u;\n")
        run = self.run_tool("check")
        self.assertNotEqual(run.returncode, 0)

    def test_appended_field_is_fine(self):
        self.edit("node.h", "  const void *cells;\n", "  const void *cells;\n  const uint64_t *valid;\n")
        self.assertIn("additions only", self.accepted())

    def test_new_constant_id_struct_and_minor_are_fine(self):
        self.edit("abi.h", "#define BERTH_SKIP 5", "#define BERTH_SKIP 5\n#define BERTH_HOLD 7")
        self.edit("host.h", "#define BERTH_SERVICE_LOG ", '#define BERTH_SERVICE_CLOCK "berth.host.clock/1"\n'
                  "typedef struct berth_clock { uint32_t size, rsv; } berth_clock;\n#define BERTH_SERVICE_LOG ")
        self.edit("abi.h", f"#define BERTH_ABI_MINOR {MINOR}u", f"#define BERTH_ABI_MINOR {MINOR + 1}u")
        self.assertIn("additions only", self.accepted())

    def test_a_smaller_minor_is_not(self):
        self.edit("abi.h", f"#define BERTH_ABI_MINOR {MINOR}u", f"#define BERTH_ABI_MINOR {MINOR + 1}u")
        self.golden.write_text(self.run_tool("dump").stdout)
        self.edit("abi.h", f"#define BERTH_ABI_MINOR {MINOR + 1}u", f"#define BERTH_ABI_MINOR {MINOR}u")
        self.refused("constant BERTH_ABI_MINOR")

    def test_update_writes_additions_and_refuses_the_rest(self):
        self.edit("node.h", "  const void *cells;\n", "  const void *cells;\n  const uint64_t *valid;\n")
        self.assertEqual(self.run_tool("update").returncode, 0)
        self.assertIn("berth_column.valid", self.golden.read_text())
        self.assertIn("offsetof(berth_column, valid) == 24", (self.include / "berth" / "layout.h").read_text())
        self.edit("abi.h", "#define BERTH_SKIP 5", "#define BERTH_SKIP 7")
        before = self.golden.read_text()
        self.assertEqual(self.run_tool("update").returncode, 1)
        self.assertEqual(self.golden.read_text(), before)

    def test_layout_header_belongs_to_the_dump(self):
        run = subprocess.run([sys.executable, str(TOOL), "layout"], text=True, capture_output=True, check=True)
        self.assertEqual(run.stdout, (SDK / "include" / "berth" / "layout.h").read_text(),
                         "run sdk/abi/abi_tool.py update")

    def test_layout_header_catches_another_layout(self):
        self.edit("node.h", "berth_id key, value, effect;", "berth_id value, key, effect;")
        run = subprocess.run([os.environ.get("CC", "cc"), "-std=c11", "-fsyntax-only", "-x", "c", "-I",
                              str(self.include), "-"], input='#include "berth/layout.h"\n', text=True,
                             capture_output=True, check=False)
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("berth_taint.key", run.stderr)


if __name__ == "__main__":
    unittest.main()
