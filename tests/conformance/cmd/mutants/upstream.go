package main

import (
	"bytes"
	"context"
	"fmt"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/scheme"
	configv1 "k8s.io/kubernetes/pkg/scheduler/apis/config/v1"
	"k8s.io/kubernetes/pkg/scheduler/profile"

	"berth.dev/berth/tests/conformance/internal/upstream"
)

// verdict is one side's result for a configuration.
type verdict struct {
	accepted  bool
	completed string // the configuration as it is written again, if accepted
	refusal   string // why not
}

// askUpstream does what kube-scheduler does with --config and --write-config-to (cmd/kube-scheduler/app/server.go,
// Setup), without an API server.
func askUpstream(path string) (v verdict) {
	defer func() {
		if r := recover(); r != nil {
			v = verdict{refusal: fmt.Sprintf("panic: %v", r)}
		}
	}()
	completed, err := startUpstream(path)
	if err != nil {
		return verdict{refusal: err.Error()}
	}
	return verdict{accepted: true, completed: completed}
}

func startUpstream(path string) (string, error) {
	cfg, err := upstream.LoadConfig(path)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
	defer cancel()
	client, err := kubernetes.NewForConfig(&rest.Config{Host: "http://127.0.0.1:1"}) // nothing is sent
	if err != nil {
		return "", err
	}
	broadcaster := events.NewBroadcaster(&events.EventSinkImpl{Interface: client.EventsV1()})
	defer broadcaster.Shutdown()
	completed := make([]config.KubeSchedulerProfile, 0)
	_, err = scheduler.New(ctx, client, informers.NewSharedInformerFactory(client, 0), nil,
		profile.NewRecorderFactory(broadcaster),
		scheduler.WithComponentConfigVersion(cfg.TypeMeta.APIVersion),
		scheduler.WithProfiles(cfg.Profiles...),
		scheduler.WithPercentageOfNodesToScore(cfg.PercentageOfNodesToScore),
		scheduler.WithFrameworkOutOfTreeRegistry(registry()),
		scheduler.WithPodMaxBackoffSeconds(cfg.PodMaxBackoffSeconds),
		scheduler.WithPodInitialBackoffSeconds(cfg.PodInitialBackoffSeconds),
		scheduler.WithExtenders(cfg.Extenders...),
		scheduler.WithParallelism(cfg.Parallelism),
		scheduler.WithBuildFrameworkCapturer(func(p config.KubeSchedulerProfile) { completed = append(completed, p) }))
	if err != nil {
		return "", err
	}
	cfg.Profiles = completed
	return encode(cfg)
}

// encode is encodeConfig of cmd/kube-scheduler/app/options, which is not exported.
func encode(cfg *config.KubeSchedulerConfiguration) (string, error) {
	info, ok := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeYAML)
	if !ok {
		return "", fmt.Errorf("kube-scheduler has no YAML")
	}
	buf := new(bytes.Buffer)
	err := scheme.Codecs.EncoderForVersion(info.Serializer, configv1.SchemeGroupVersion).Encode(cfg, buf)
	return buf.String(), err
}
