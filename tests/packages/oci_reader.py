#!/usr/bin/env python3
"""Reads an OCI image layout as a container runtime does, and checks the digest and size of every blob on the way.

Usage: oci_reader.py LAYOUT NAME ARCH ROOT     unpacks the layers of the image for ARCH to ROOT, and prints its entrypoint
"""
import gzip
import hashlib
import json
import pathlib
import sys
import tarfile

INDEX = "application/vnd.oci.image.index.v1+json"


class Reader:
    def __init__(self, layout):
        self.layout = pathlib.Path(layout)
        assert json.loads((self.layout / "oci-layout").read_text()) == {"imageLayoutVersion": "1.0.0"}
        self.names = {}  # name -> descriptor
        for descriptor in json.loads((self.layout / "index.json").read_text())["manifests"]:
            name = descriptor["annotations"]["org.opencontainers.image.ref.name"]
            assert name not in self.names, f"{name} is there twice"
            # `ctr images import` gives the image this name, and a kubelet asks for it if a pod's image is `name`.
            assert descriptor["annotations"]["io.containerd.image.name"] == f"docker.io/library/{name}", descriptor
            self.names[name] = descriptor

    def blob(self, descriptor):
        content = (self.layout / "blobs" / descriptor["digest"].replace(":", "/")).read_bytes()
        assert descriptor["digest"] == "sha256:" + hashlib.sha256(content).hexdigest(), descriptor
        assert descriptor["size"] == len(content), descriptor
        return content

    def images(self, name):
        """Descriptors of the images that the name stands for: one, or those of an index."""
        descriptor = self.names[name]
        if descriptor["mediaType"] != INDEX:
            return [descriptor]
        index = json.loads(self.blob(descriptor))
        assert index["mediaType"] == INDEX and index["schemaVersion"] == 2
        return index["manifests"]

    def image(self, name, arch):
        """Manifest and configuration of the image for the architecture; all descriptions of its platform agree."""
        [descriptor] = [image for image in self.images(name) if image["platform"]["architecture"] == arch]
        manifest = json.loads(self.blob(descriptor))
        assert manifest["mediaType"] == descriptor["mediaType"] == "application/vnd.oci.image.manifest.v1+json"
        config = json.loads(self.blob(manifest["config"]))
        platform = {key: config[key] for key in ("architecture", "os", "variant") if key in config}
        assert platform == descriptor["platform"], (platform, descriptor)
        return manifest, config

    def unpack(self, name, arch, root):
        manifest, config = self.image(name, arch)
        assert len(manifest["layers"]) == len(config["rootfs"]["diff_ids"]) == len(config["history"])
        for layer, diff_id in zip(manifest["layers"], config["rootfs"]["diff_ids"]):
            assert diff_id == "sha256:" + hashlib.sha256(gzip.decompress(self.blob(layer))).hexdigest()
            with tarfile.open(self.layout / "blobs" / layer["digest"].replace(":", "/")) as archive:
                assert all(member.uid == member.gid == 0 for member in archive)
                archive.extractall(root)
        return config["config"]


if __name__ == "__main__":
    print(*Reader(sys.argv[1]).unpack(*sys.argv[2:5])["Entrypoint"])
