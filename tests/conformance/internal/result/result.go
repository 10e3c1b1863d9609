// Package result defines the JSON of `berthctl simulate -o json`, for the judge, which reads it, and the stand-in,
// which writes it.
package result

import (
	"encoding/json"
	"fmt"
	"os"
)

// Results an attempt can have.
const (
	Scheduled     = "Scheduled"
	Unschedulable = "Unschedulable"
	Gated         = "Gated"
	Error         = "Error"
	Unserved      = "Unserved"
)

// Simulation is one document: all attempts of a simulation in the order they were made.
type Simulation struct {
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"`
	Pods       []Attempt `json:"pods"`
	// Pending lists the pods that wait at the end, with what would make them fit; nil without --suggest.
	Pending []Pending `json:"pending,omitempty"`
}

// Pending is a pod that has no node when the simulation ends.
type Pending struct {
	Pod          string       `json:"pod"`
	Summary      string       `json:"summary"`
	FittingNodes int          `json:"fittingNodes"`
	Suggestions  []Suggestion `json:"suggestions"`
}

// Suggestion is a change after which a pod would fit.
type Suggestion struct {
	Change string      `json:"change"`
	Patch  []Operation `json:"patch"`
	// Deletes are pods without which it would fit on the node, by key; then there is no patch.
	Deletes []string `json:"deletes"`
	Node    string   `json:"node"`  // one of those on which it would fit
	Nodes   int      `json:"nodes"` // how many there are
}

// Operation is one of a JSON patch (RFC 6902).
type Operation struct {
	Op    string          `json:"op"`
	Path  string          `json:"path"`
	Value json.RawMessage `json:"value,omitempty"`
}

// Attempt is one try to place one pod.
type Attempt struct {
	Pod           string   `json:"pod"`
	Profile       string   `json:"profile"`
	Result        string   `json:"result"`
	Node          string   `json:"node"`
	Ties          int      `json:"ties"`
	Generation    int64    `json:"generation"`
	Message       string   `json:"message"`
	NominatedNode string   `json:"nominatedNode"`
	Victims       []string `json:"victims"`
	Nodes         []Node   `json:"nodes"`
}

// Node is the result of the attempt for one node that reached Filter.
type Node struct {
	Name    string           `json:"name"`
	Verdict string           `json:"verdict"`
	Plugin  string           `json:"plugin"`
	Reasons []string         `json:"reasons"`
	Scores  map[string]int64 `json:"scores"`
	Total   int64            `json:"total"`
}

// Parse reads one document and rejects any that is not a SimulationResult.
func Parse(data []byte) (*Simulation, error) {
	var s Simulation
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("the simulator's output is not the JSON expected: %w", err)
	}
	if s.Kind != "SimulationResult" {
		return nil, fmt.Errorf("the simulator printed kind %q, not SimulationResult", s.Kind)
	}
	return &s, nil
}

// ReadFile parses a document kept on disk.
func ReadFile(path string) (*Simulation, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(data)
}

// Clone copies deeply, so that the copy can be corrupted without touching the original.
func (s *Simulation) Clone() *Simulation {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	var c Simulation
	if err := json.Unmarshal(data, &c); err != nil {
		panic(err)
	}
	return &c
}
