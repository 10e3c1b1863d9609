// Package kubeadm makes the static pod that kubeadm 1.36 writes for the scheduler.
package kubeadm

import (
	"errors"
	"os"

	corev1 "k8s.io/api/core/v1"
	kubeadmapi "k8s.io/kubernetes/cmd/kubeadm/app/apis/kubeadm"
	kubeadmv1beta4 "k8s.io/kubernetes/cmd/kubeadm/app/apis/kubeadm/v1beta4"
	"k8s.io/kubernetes/cmd/kubeadm/app/constants"
	"k8s.io/kubernetes/cmd/kubeadm/app/phases/controlplane"
	"sigs.k8s.io/yaml"
)

// Pod is the pod that kubeadm writes for kube-scheduler (cmd/kubeadm/app/phases/controlplane, GetStaticPodSpecs). file is a
// ClusterConfiguration, of which only the scheduler's part is used; "": none.
func Pod(file string) (corev1.Pod, error) {
	cluster, err := configuration(file)
	if err != nil {
		return corev1.Pod{}, err
	}
	kubeadmapi.SetActiveTimeouts(&kubeadmapi.Timeouts{})
	cluster.KubernetesVersion, cluster.ImageRepository = "v1.36.3", "registry.k8s.io"
	pod, ok := controlplane.GetStaticPodSpecs(&cluster, &kubeadmapi.APIEndpoint{}, []kubeadmapi.EnvVar{})[constants.KubeScheduler]
	if !ok {
		return pod, errors.New("kubeadm has no static pod for the scheduler")
	}
	return pod, nil
}

func configuration(file string) (kubeadmapi.ClusterConfiguration, error) {
	var cluster kubeadmapi.ClusterConfiguration
	if file == "" {
		return cluster, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return cluster, err
	}
	var read kubeadmv1beta4.ClusterConfiguration
	if err := yaml.UnmarshalStrict(text, &read); err != nil {
		return cluster, err
	}
	for _, a := range read.Scheduler.ExtraArgs {
		cluster.Scheduler.ExtraArgs = append(cluster.Scheduler.ExtraArgs, kubeadmapi.Arg(a))
	}
	for _, v := range read.Scheduler.ExtraVolumes {
		cluster.Scheduler.ExtraVolumes = append(cluster.Scheduler.ExtraVolumes, kubeadmapi.HostPathMount(v))
	}
	return cluster, nil
}
