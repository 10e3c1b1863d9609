package generate

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// How often a quantity gets another spelling.
const (
	usually = 0.15
	always  = 1.0
)

// speller writes some quantities in another notation with the same value, because users and controllers do not always
// write the canonical one.
type speller struct {
	random *rand.Rand
	often  float64
}

func (s *speller) withChance(often float64) *speller { return &speller{s.random, often} }

var quantityMaps = []string{"requests", "limits", "allocatable", "capacity", "overhead", "allocatedResources"}

// respell changes an object in its JSON form.
func (s *speller) respell(value any) {
	switch v := value.(type) {
	case []any:
		for _, e := range v {
			s.respell(e)
		}
	case map[string]any:
		for _, k := range sortedKeys(v) {
			if list, ok := v[k].(map[string]any); ok && slices.Contains(quantityMaps, k) {
				s.respellList(list)
			} else {
				s.respell(v[k])
			}
		}
	}
}

func (s *speller) respellList(list map[string]any) {
	for _, k := range sortedKeys(list) {
		if text, ok := list[k].(string); ok && s.random.Float64() < s.often {
			list[k] = s.otherSpelling(text)
		}
	}
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// otherSpelling tries one change and keeps it if the value stays the same.
func (s *speller) otherSpelling(text string) string {
	q, err := resource.ParseQuantity(text)
	if err != nil {
		return text
	}
	var other string
	if s.random.IntN(2) == 0 {
		other = s.decorated(text, q)
	} else {
		other = s.rescaled(q)
	}
	if o, err := resource.ParseQuantity(other); err != nil || o.Cmp(q) != 0 {
		return text
	}
	return other
}

// decorated changes the digits and keeps the suffix, or writes the number in units or thousandths.
func (s *speller) decorated(text string, q resource.Quantity) string {
	digits := strings.TrimRight(text, "numkKMGTPEi")
	suffix := text[len(digits):]
	spellings := []string{
		"+" + text, "0" + text, digits + ".0" + suffix, digits + "." + suffix, digits + "000m", digits + "e0", digits + "E0", digits + "0e-1",
		fmt.Sprint(q.Value()), fmt.Sprintf("%dm", q.MilliValue()), fmt.Sprintf("%de-3", q.MilliValue()), digits + "000000000n",
		fmt.Sprintf("%d.%03d", q.MilliValue()/1000, q.MilliValue()%1000), "." + strings.TrimPrefix(fmt.Sprintf("%d", q.MilliValue()), "-"),
	}
	return spellings[s.random.IntN(len(spellings))]
}

// suffixes and their factors: base to the exponent.
var suffixes = []struct {
	text           string
	base, exponent int64
}{
	{"n", 10, -9}, {"u", 10, -6}, {"m", 10, -3}, {"", 10, 0}, {"k", 10, 3}, {"M", 10, 6}, {"G", 10, 9}, {"T", 10, 12}, {"P", 10, 15},
	{"E", 10, 18}, {"Ki", 2, 10}, {"Mi", 2, 20}, {"Gi", 2, 30}, {"Ti", 2, 40}, {"Pi", 2, 50}, {"Ei", 2, 60},
}

// rescaled writes the number exactly with any suffix or exponent, with as many decimals as needed, and with redundant
// signs and zeros.
func (s *speller) rescaled(q resource.Quantity) string {
	suffix := suffixes[s.random.IntN(len(suffixes))]
	if s.random.IntN(3) == 0 {
		suffix.base, suffix.exponent = 10, int64(s.random.IntN(25)-12)
		forms := []string{"e%d", "E%d", "e%+d", "E%+03d"}
		suffix.text = fmt.Sprintf(forms[s.random.IntN(len(forms))], suffix.exponent)
	}
	scaled := new(big.Rat).Mul(exact(q), power(suffix.base, -suffix.exponent))
	decimals, finite := scaled.FloatPrec()
	if !finite {
		return ""
	}
	text := scaled.FloatString(decimals)
	if s.random.IntN(3) == 0 {
		text = s.pad(text)
	}
	return text + suffix.text
}

// exact is the value without rounding.
func exact(q resource.Quantity) *big.Rat {
	dec := q.AsDec()
	return new(big.Rat).Mul(new(big.Rat).SetInt(dec.UnscaledBig()), power(10, -int64(dec.Scale())))
}

func power(base, exponent int64) *big.Rat {
	p := new(big.Int).Exp(big.NewInt(base), big.NewInt(max(exponent, -exponent)), nil)
	if exponent < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), p)
	}
	return new(big.Rat).SetInt(p)
}

// pad adds characters to digits without changing the value.
func (s *speller) pad(digits string) string {
	switch {
	case strings.HasPrefix(digits, "-"):
	case s.random.IntN(3) == 0:
		digits = strings.TrimPrefix(digits, "0")
	default:
		digits = strings.Repeat("0", s.random.IntN(4)) + digits
	}
	if !strings.Contains(digits, ".") && s.random.IntN(2) == 0 {
		digits += "."
	}
	if strings.Contains(digits, ".") {
		digits += strings.Repeat("0", s.random.IntN(22))
	}
	if !strings.HasPrefix(digits, "-") && s.random.IntN(4) == 0 {
		digits = "+" + digits
	}
	return digits
}
