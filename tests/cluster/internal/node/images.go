package node

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"berth.dev/berth/tests/cluster/internal/programs"
)

// MakeImages writes an archive for Options.Images with Berth's images from a build, as an operator makes them with scripts/image,
// and with PauseImage. top is the top of the source tree, set the directory of programs.RealNodes, and root a directory for
// temporary files.
func MakeImages(ctx context.Context, top, build, set, root, archive string) error {
	layout, layer := filepath.Join(root, "layout"), filepath.Join(root, "pause-layer")
	if err := os.MkdirAll(layer, 0o755); err != nil {
		return err
	}
	for _, command := range [][]string{
		{"scripts/image", "--oci", layout, "--build", build},
		{"cp", filepath.Join(set, programs.Pause), layer},
		{"python3", "scripts/oci_layout.py", "--to", layout, "--name", PauseImage, "--entrypoint", "/" + programs.Pause, layer},
		{"tar", "-C", layout, "-cf", archive, "."},
	} {
		cmd := exec.CommandContext(ctx, command[0], command[1:]...)
		cmd.Dir = top
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %w: %s", command, err, out)
		}
	}
	return nil
}
