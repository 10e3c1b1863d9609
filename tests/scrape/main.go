// Command scrape reads pages of metrics as Prometheus does: with its headers, its parsers, and the checks that its
// storage makes.
//
//	scrape [-accept HEADER] URL...
//
// The variable SCRAPE_TOKEN is the bearer token. Prints a line for each page: path, Content-Type, numbers of families
// and of series. Exit 1: a page breaks a rule.
package main

import (
	"crypto/tls"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"time"
)

// prometheusAccept is what Prometheus 3 sends by default: scrape.acceptHeader of config.DefaultScrapeProtocols.
const prometheusAccept = "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6," +
	"application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4," +
	"text/plain;version=0.0.4;q=0.3,*/*;q=0.2"

func main() {
	accept := flag.String("accept", prometheusAccept, "the header Accept")
	flag.Parse()
	failed := false
	for _, page := range flag.Args() {
		if err := scrape(page, *accept); err != nil {
			fmt.Fprintf(os.Stderr, "scrape: %s: %v\n", page, err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

func scrape(page, accept string) error {
	contentType, body, err := get(page, accept)
	if err != nil {
		return err
	}
	p, err := parse(body, contentType)
	if err != nil {
		return err
	}
	if err := p.check(); err != nil {
		return err
	}
	families, err := withExpfmt(body, contentType)
	if err != nil {
		return err
	}
	for name, n := range families {
		if p.samplesOf[name] != n {
			return fmt.Errorf("family %s: one parser reads %d samples, the other one %d", name, p.samplesOf[name], n)
		}
	}
	where, _ := url.Parse(page)
	fmt.Printf("%s  %s  %d families  %d series\n", where.Path, contentType, len(families), len(p.series))
	return nil
}

// get sends the same request as scrape.targetScraper.
func get(page, accept string) (contentType string, body []byte, err error) {
	request, err := http.NewRequest(http.MethodGet, page, nil)
	if err != nil {
		return "", nil, err
	}
	request.Header.Set("Accept", accept)
	request.Header.Set("Accept-Encoding", "identity")
	request.Header.Set("User-Agent", "Prometheus/3")
	request.Header.Set("X-Prometheus-Scrape-Timeout-Seconds", "10")
	if token := os.Getenv("SCRAPE_TOKEN"); token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	client := http.Client{
		Timeout:   10 * time.Second,
		Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}},
	}
	answer, err := client.Do(request)
	if err != nil {
		return "", nil, err
	}
	defer answer.Body.Close()
	body, err = io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %.300s", answer.Status, body)
	}
	return answer.Header.Get("Content-Type"), body, err
}
