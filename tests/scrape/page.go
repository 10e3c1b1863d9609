package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"sort"
	"strconv"
	"strings"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"
)

// page is one complete answer, as Prometheus' parser reads it.
type page struct {
	series    map[string]float64 // by name and labels
	types     map[string]model.MetricType
	helped    map[string]bool
	samplesOf map[string]int // by family
	buckets   map[string][]bucket
}

// bucket is one bucket of a histogram.
type bucket struct {
	le, count float64
}

func parse(body []byte, contentType string) (*page, error) {
	parser, err := textparse.New(body, contentType, labels.NewSymbolTable(), textparse.ParserOptions{})
	if err != nil {
		return nil, fmt.Errorf("Content-Type %q: %w", contentType, err)
	}
	p := &page{series: map[string]float64{}, types: map[string]model.MetricType{}, helped: map[string]bool{},
		samplesOf: map[string]int{}, buckets: map[string][]bucket{}}
	for {
		entry, err := parser.Next()
		if errors.Is(err, io.EOF) {
			return p, nil
		}
		if err == nil {
			err = p.take(parser, entry)
		}
		if err != nil {
			return nil, err
		}
	}
}

func (p *page) take(parser textparse.Parser, entry textparse.Entry) error {
	switch entry {
	case textparse.EntryType:
		name, kind := parser.Type()
		if _, known := p.types[string(name)]; known {
			return fmt.Errorf("family %s has two types", name)
		}
		p.types[string(name)] = kind
	case textparse.EntryHelp:
		name, _ := parser.Help()
		p.helped[string(name)] = true
	case textparse.EntrySeries:
		_, _, value := parser.Series()
		var set labels.Labels
		parser.Labels(&set)
		return p.sample(set, value)
	case textparse.EntryComment, textparse.EntryUnit:
	default:
		return fmt.Errorf("an entry of kind %d, which a text cannot have", entry)
	}
	return nil
}

func (p *page) sample(set labels.Labels, value float64) error {
	key := set.String()
	if _, known := p.series[key]; known {
		return fmt.Errorf("series %s is there twice", key)
	}
	p.series[key] = value
	name := set.Get(labels.MetricName)
	family, suffix := p.familyOf(name)
	if family == "" {
		return fmt.Errorf("series %s has no type before it", key)
	}
	if suffix == "_created" {
		return nil
	}
	p.samplesOf[family]++
	if suffix == "_bucket" {
		le, err := strconv.ParseFloat(set.Get(labels.BucketLabel), 64)
		if err != nil {
			return fmt.Errorf("series %s: %w", key, err)
		}
		rest := labels.NewBuilder(set).Del(labels.BucketLabel).Set(labels.MetricName, family).Labels().String()
		p.buckets[rest] = append(p.buckets[rest], bucket{le, value})
	}
	return nil
}

// familyOf returns the family of a sample's name, and the suffix that its type allows; "": there is none.
func (p *page) familyOf(name string) (family, suffix string) {
	if _, known := p.types[name]; known {
		return name, ""
	}
	for _, suffix := range []string{"_bucket", "_sum", "_count", "_total", "_created", "_info"} {
		if family, cut := strings.CutSuffix(name, suffix); cut {
			if _, known := p.types[family]; known {
				return family, suffix
			}
		}
	}
	return "", ""
}

// check finds errors that the parser does not check itself.
func (p *page) check() error {
	for name := range p.types {
		if !p.helped[name] {
			return fmt.Errorf("family %s has no help", name)
		}
	}
	for key, buckets := range p.buckets {
		if err := p.checkHistogram(key, buckets); err != nil {
			return fmt.Errorf("histogram %s: %w", key, err)
		}
	}
	if len(p.series) == 0 {
		return errors.New("there are no series")
	}
	return nil
}

func (p *page) checkHistogram(key string, buckets []bucket) error {
	if !sort.SliceIsSorted(buckets, func(i, j int) bool { return buckets[i].le < buckets[j].le }) {
		return errors.New("the buckets are not in order")
	}
	if !sort.SliceIsSorted(buckets, func(i, j int) bool { return buckets[i].count < buckets[j].count }) {
		return fmt.Errorf("the buckets are not cumulative: %v", buckets)
	}
	last := buckets[len(buckets)-1]
	if !math.IsInf(last.le, 1) {
		return errors.New("the last bucket is not +Inf")
	}
	for suffix, want := range map[string]float64{"_count": last.count, "_sum": math.NaN()} {
		named := strings.Replace(key, `__name__="`+nameIn(key)+`"`, `__name__="`+nameIn(key)+suffix+`"`, 1)
		value, known := p.series[named]
		if !known {
			return fmt.Errorf("it has no %s", suffix)
		}
		if !math.IsNaN(want) && value != want {
			return fmt.Errorf("%s is %v, the bucket +Inf has %v", suffix, value, want)
		}
	}
	return nil
}

func nameIn(key string) string {
	_, rest, _ := strings.Cut(key, `__name__="`)
	name, _, _ := strings.Cut(rest, `"`)
	return name
}

// withExpfmt reads the page with the parser of github.com/prometheus/common, and counts the samples of each family.
func withExpfmt(body []byte, contentType string) (map[string]int, error) {
	format := expfmt.ResponseFormat(http.Header{"Content-Type": {contentType}})
	decoder := expfmt.NewDecoder(bytes.NewReader(body), format)
	families := map[string]int{}
	for {
		var family dto.MetricFamily
		if err := decoder.Decode(&family); errors.Is(err, io.EOF) {
			return families, nil
		} else if err != nil {
			return nil, err
		}
		n := 0
		for _, metric := range family.Metric {
			n++
			if h := metric.Histogram; h != nil {
				n += len(h.Bucket) + 1 // and the sum
				if l := len(h.Bucket); l == 0 || !math.IsInf(h.Bucket[l-1].GetUpperBound(), 1) {
					n++
				}
			} else if s := metric.Summary; s != nil {
				n += len(s.Quantile) + 1
			}
		}
		families[family.GetName()] = n
	}
}
