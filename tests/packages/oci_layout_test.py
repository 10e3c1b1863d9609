#!/usr/bin/env python3
"""scripts/oci_layout.py with small layers: names, architectures, and what a second run into the same folder keeps."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from oci_reader import INDEX, Reader

TOOL = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "oci_layout.py"


class LayoutTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = pathlib.Path(folder.name)

    def write(self, name, arch, text):
        """An image of one layer, in which the file /what has the text."""
        layer = self.work / f"layer.{text}"
        layer.mkdir(exist_ok=True)
        (layer / "what").write_text(text)
        subprocess.run([sys.executable, TOOL, "--to", self.work / "oci", "--name", name, "--arch", arch, "--env", "A=B",
                        "--entrypoint", "/what", layer], check=True, capture_output=True)

    def unpacked(self, name, arch):
        root = self.work / f"root.{name}.{arch}"
        self.assertEqual(Reader(self.work / "oci").unpack(name, arch, root), {"Env": ["A=B"], "Entrypoint": ["/what"]})
        return (root / "what").read_text()

    def platforms(self, name):
        return [image["platform"] for image in Reader(self.work / "oci").images(name)]

    def test_one_architecture_needs_no_index(self):
        self.write("berth:1", "amd64", "x")
        self.assertNotEqual(Reader(self.work / "oci").names["berth:1"]["mediaType"], INDEX)
        self.assertEqual(self.platforms("berth:1"), [{"architecture": "amd64", "os": "linux"}])
        self.assertEqual(self.unpacked("berth:1", "amd64"), "x")

    def test_two_architectures_are_one_name(self):
        self.write("berth:1", "arm64", "a")
        self.write("berth:1", "amd64", "x")
        self.assertEqual(Reader(self.work / "oci").names["berth:1"]["mediaType"], INDEX)
        self.assertEqual(self.platforms("berth:1"), [{"architecture": "amd64", "os": "linux"},
                                                     {"architecture": "arm64", "os": "linux", "variant": "v8"}])
        self.assertEqual(self.unpacked("berth:1", "amd64"), "x")
        self.assertEqual(self.unpacked("berth:1", "arm64"), "a")

    def test_an_image_is_replaced_and_its_neighbors_stay(self):
        self.write("berth:0", "amd64", "old")
        for arch in ("amd64", "arm64"):
            self.write("berth:1", arch, arch)
        self.write("berth:1", "arm64", "later")
        self.assertEqual(len(self.platforms("berth:1")), 2)
        self.assertEqual(self.unpacked("berth:1", "arm64"), "later")
        self.assertEqual(self.unpacked("berth:1", "amd64"), "amd64")
        self.assertEqual(self.unpacked("berth:0", "amd64"), "old")

    def test_the_order_of_architectures_makes_no_difference(self):
        self.write("there", "amd64", "x")
        self.write("there", "arm64", "a")
        self.write("back", "arm64", "a")
        self.write("back", "amd64", "x")
        names = Reader(self.work / "oci").names
        self.assertEqual(names["there"]["digest"], names["back"]["digest"])

    def test_the_reader_sees_a_damaged_blob(self):
        self.write("berth:1", "amd64", "x")
        digest = json.loads((self.work / "oci" / "index.json").read_text())["manifests"][0]["digest"]
        with (self.work / "oci" / "blobs" / digest.replace(":", "/")).open("a") as blob:
            blob.write(" ")
        with self.assertRaises(AssertionError):
            self.unpacked("berth:1", "amd64")


if __name__ == "__main__":
    unittest.main()
