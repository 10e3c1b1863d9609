package process

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
)

// Trusting is a client for programs on loopback with self-signed certificates.
var Trusting = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}

// Get returns nil when url answers 200.
func Get(ctx context.Context, client *http.Client, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusOK {
		return nil
	}
	body, _ := io.ReadAll(io.LimitReader(resp.Body, 1000))
	return fmt.Errorf("%s answers %s: %s", url, resp.Status, body)
}
