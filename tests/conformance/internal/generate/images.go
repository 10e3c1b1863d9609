package generate

import (
	v1 "k8s.io/api/core/v1"
)

const mb = 1024 * 1024

var (
	// podImages are names in pods; nodeNames are names that kubelets report, which may differ from the name in a pod.
	podImages = []string{
		"nginx", "nginx:latest", "nginx:1.27", "registry.k8s.io/pause:3.10", "localhost:5000/app", "localhost:5000/app:v1",
		"quay.io/org/tool@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
		"docker.io/library/nginx:latest", "a/b/c", "huge:1", "",
	}
	nodeImageNames = []string{
		"nginx:latest", "nginx:1.27", "registry.k8s.io/pause:3.10", "localhost:5000/app:latest", "localhost:5000/app:v1",
		"quay.io/org/tool@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
		"docker.io/library/nginx:latest", "a/b/c:latest", "huge:1", "nginx", "other:1",
	}
	imageSizes = []int64{
		0, 1, 23*mb - 1, 23 * mb, 23*mb + 1, 33 * mb, 40 * mb, 250 * mb, 300 * mb, 1000*mb - 1, 1000 * mb, 1000*mb + 1, 4000 * mb,
		1 << 50, 46 * mb, 69 * mb, 123456789,
	}
)

func (g *gen) nodeImages() []v1.ContainerImage {
	if !g.shows(images) {
		return nil
	}
	var list []v1.ContainerImage
	for range pick(g, 0, 1, 2, 3, 5, 8) {
		image := v1.ContainerImage{SizeBytes: pick(g, imageSizes...)}
		for range pick(g, 1, 1, 2, 3) {
			image.Names = append(image.Names, pick(g, nodeImageNames...))
		}
		if g.chance(0.03) {
			image.Names = nil
		}
		list = append(list, image)
	}
	return list
}

// setImages draws names with and without tags, digests and registry ports, and image volumes.
func (g *gen) setImages(p *v1.Pod) {
	if !g.shows(images) {
		return
	}
	all(p, func(c *v1.Container) { c.Image = pick(g, podImages...) })
	if g.chance(0.3) {
		for range pick(g, 1, 2) {
			p.Spec.Volumes = append(p.Spec.Volumes, v1.Volume{
				Name:         pick(g, "model", "data"),
				VolumeSource: v1.VolumeSource{Image: &v1.ImageVolumeSource{Reference: pick(g, podImages...), PullPolicy: v1.PullIfNotPresent}},
			})
		}
	}
}
