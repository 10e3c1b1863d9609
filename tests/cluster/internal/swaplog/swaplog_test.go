package swaplog

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

const bound = `I1121 19:03:43.123456   12345 binding_cycle.cc:155] "Successfully bound pod to node" pod="ns/a" node="n \"1\"" evaluatedNodes=7 generation=12` + "\n"
const refused = `E1121 19:03:44.000001 9 announcer.cc:9] "Rejected a policy change, the current policy stays active" generation=12 step="canary" err=<` +
	"\n\tone\n\ttwo=2\n >" + ` causes=["a, \"b\"","c=d"]` + "\n"

func TestParse(t *testing.T) {
	l, ok := Parse(bound[:len(bound)-1])
	want := map[string]string{"pod": "ns/a", "node": `n "1"`, "evaluatedNodes": "7", "generation": "12"}
	if !ok || l.Severity != 'I' || l.Message != Bound || l.Generation() != 12 || !reflect.DeepEqual(l.Values, want) {
		t.Errorf("%v %+v", ok, l)
	}
	if l.Time.Format("0102 15:04:05.000000") != "1121 19:03:43.123456" {
		t.Errorf("its time is %s", l.Time)
	}
	if l, ok := Parse("W1121 19:03:43.123456 1 a.cc:1] plain words, a=b"); !ok || l.Message != "plain words, a=b" || len(l.Values) != 0 {
		t.Errorf("%v %+v", ok, l)
	}
	if _, ok := Parse("terminate called without an active exception"); ok {
		t.Error("foreign text is a line")
	}
}

func TestALogIsFollowed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	write := func(text string) {
		file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if _, err := file.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	f := Follow(path)
	write("foreign\n" + bound + "foreign\n" + refused[:len(refused)-40])
	if lines, err := f.Next(); err != nil || len(lines) != 2 || lines[1].Message != Bound {
		t.Fatalf("%v %+v", err, lines)
	}
	write(refused[len(refused)-40:] + bound)
	line, err := f.Swap(context.Background(), time.Second)
	if err != nil || line.Values["err"] != "one\ntwo=2" {
		t.Fatalf("%v %+v", err, line)
	}
	if causes, err := line.List("causes"); err != nil || !reflect.DeepEqual(causes, []string{`a, "b"`, "c=d"}) {
		t.Errorf("%v %q", err, causes)
	}
	if lines, err := f.Next(); err != nil || len(lines) != 1 || lines[0].Message != Bound {
		t.Errorf("what is behind it: %v %+v", err, lines)
	}
}
