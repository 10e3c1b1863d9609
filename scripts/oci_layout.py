#!/usr/bin/env python3
"""Writes an OCI image layout without a container runtime: each directory becomes a layer.

Usage: oci_layout.py --to DIRECTORY --name NAME [--arch amd64] [--user USER] [--env KEY=VALUE]... [--entrypoint WORD]... LAYER...

Read it with `skopeo copy --all oci:DIRECTORY:NAME docker://...`, or with `tar -C DIRECTORY -cf image.tar .` and
`ctr -n k8s.io images import image.tar`. Equal files make equal bytes: all times are SOURCE_DATE_EPOCH, or 1970.

NAME replaces an image of the same name and architecture. If DIRECTORY has one of another architecture, NAME becomes an index of
both, of which a container runtime takes the one for its machine.
"""
import argparse
import datetime
import gzip
import hashlib
import io
import json
import os
import pathlib
import tarfile

LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
CONFIG = "application/vnd.oci.image.config.v1+json"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
INDEX = "application/vnd.oci.image.index.v1+json"
REF_NAME = "org.opencontainers.image.ref.name"
EPOCH = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))


class Layout:
    def __init__(self, directory):
        self.directory = directory
        (directory / "blobs" / "sha256").mkdir(parents=True, exist_ok=True)
        (directory / "oci-layout").write_text(json.dumps({"imageLayoutVersion": "1.0.0"}))

    def blob(self, content, media_type):
        digest = hashlib.sha256(content).hexdigest()
        (self.directory / "blobs" / "sha256" / digest).write_bytes(content)
        return {"mediaType": media_type, "digest": f"sha256:{digest}", "size": len(content)}

    def document(self, value, media_type):
        return self.blob(json.dumps(value, sort_keys=True).encode(), media_type)

    def add(self, manifest, name):
        """Gives the image its name, for skopeo and for containerd: alone, or in an index with those of other architectures that have the name already."""
        file = self.directory / "index.json"
        index = json.loads(file.read_text()) if file.exists() else {"schemaVersion": 2, "manifests": []}
        here = [m for m in index["manifests"] if m.get("annotations", {}).get(REF_NAME) == name]
        images = [m for m in self.images(here) if m["platform"] != manifest["platform"]] + [manifest]
        images.sort(key=lambda m: m["platform"]["architecture"])
        named = images[0] if len(images) == 1 else self.document(
            {"schemaVersion": 2, "mediaType": INDEX, "manifests": images}, INDEX)
        others = [m for m in index["manifests"] if m not in here]
        index["manifests"] = others + [named | {"annotations": {REF_NAME: name, "io.containerd.image.name": full_name(name)}}]
        file.write_text(json.dumps(index, sort_keys=True))

    def images(self, descriptors):
        """The images of descriptors, without names; an index stands for those that it lists."""
        for descriptor in descriptors:
            if descriptor["mediaType"] == INDEX:
                blob = self.directory / "blobs" / descriptor["digest"].replace(":", "/")
                yield from self.images(json.loads(blob.read_text())["manifests"])
            else:
                yield {key: value for key, value in descriptor.items() if key != "annotations"}


def platform(arch):
    """As the OCI image specification writes it: all of Debian's arm64 are of the variant v8."""
    return {"architecture": arch, "os": "linux"} | ({"variant": "v8"} if arch == "arm64" else {})


def full_name(name):
    """The name as a kubelet asks containerd for it: with the registry, which is Docker's if the name has none."""
    first, slash, _ = name.partition("/")
    if slash and (first == "localhost" or "." in first or ":" in first):
        return name
    return "docker.io/" + ("" if slash else "library/") + name


def member(path, root):
    info = tarfile.TarInfo(str(path.relative_to(root)))
    status = path.lstat()
    info.mode, info.mtime = status.st_mode & 0o7777, EPOCH
    if path.is_symlink():
        info.type, info.linkname = tarfile.SYMTYPE, os.readlink(path)
    elif path.is_dir():
        info.type = tarfile.DIRTYPE
    else:
        info.size = status.st_size
    return info


def layer(root):
    """The directory as a tar archive: root owns everything."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(root.rglob("*")):
            info = member(path, root)
            with path.open("rb") if info.isreg() else io.BytesIO() as content:
                archive.addfile(info, content if info.isreg() else None)
    return out.getvalue()


def image(layout, arguments):
    tars = [layer(root.resolve(strict=True)) for root in arguments.layers]
    blobs = [layout.blob(gzip.compress(tar, mtime=EPOCH), LAYER) for tar in tars]
    created = datetime.datetime.fromtimestamp(EPOCH, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    config = layout.document(platform(arguments.arch) | {
        "created": created,
        "config": {"Env": arguments.env, "Entrypoint": arguments.entrypoint} | ({"User": arguments.user} if arguments.user else {}),
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(tar).hexdigest() for tar in tars]},
        "history": [{"created": created, "created_by": f"layer {root.name}"} for root in arguments.layers]}, CONFIG)
    manifest = layout.document({"schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": blobs}, MANIFEST)
    manifest["platform"] = platform(arguments.arch)
    layout.add(manifest, arguments.name)
    print(f"{arguments.name} for {arguments.arch}: {sum(len(tar) for tar in tars) / 1e6:.1f} MB in {len(tars)} layers, "
          f"{sum(blob['size'] for blob in blobs) / 1e6:.1f} MB compressed")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--to", type=pathlib.Path, required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--arch", default="amd64")
    parser.add_argument("--user")
    parser.add_argument("--env", action="append", default=[])
    parser.add_argument("--entrypoint", action="append", default=[])
    parser.add_argument("layers", type=pathlib.Path, nargs="+")
    arguments = parser.parse_args()
    arguments.to.mkdir(parents=True, exist_ok=True)
    image(Layout(arguments.to), arguments)


if __name__ == "__main__":
    main()
