// Renders the templates of a Helm chart with the functions of Helm that the chart uses. Reads {values, chart, release,
// templates} as JSON from standard input, prints {name: text} as JSON; a failure goes to standard error with code 1.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"text/template"
)

func main() {
	var in struct {
		Values    map[string]any    `json:"values"`
		Chart     map[string]any    `json:"chart"`
		Release   map[string]any    `json:"release"`
		Templates map[string]string `json:"templates"`
	}
	check(json.NewDecoder(os.Stdin).Decode(&in))
	all := template.New("chart").Option("missingkey=error")
	indent := func(width int, text string) string {
		pad := strings.Repeat(" ", width)
		return pad + strings.ReplaceAll(text, "\n", "\n"+pad)
	}
	all.Funcs(template.FuncMap{
		"include": func(name string, data any) (string, error) {
			var out bytes.Buffer
			err := all.ExecuteTemplate(&out, name, data)
			return out.String(), err
		},
		// JSON is YAML; only the outermost map has to be lines, so that it can continue another.
		"toYaml": func(value any) (string, error) {
			entries, isMap := value.(map[string]any)
			if !isMap {
				out, err := json.Marshal(value)
				return string(out), err
			}
			lines := []string{}
			for key, entry := range entries {
				out, err := json.Marshal(entry)
				if err != nil {
					return "", err
				}
				lines = append(lines, key+": "+string(out))
			}
			return strings.Join(lines, "\n"), nil
		},
		"quote":     func(value any) string { return strconv.Quote(fmt.Sprint(value)) },
		"nindent":   func(width int, text string) string { return "\n" + indent(width, text) },
		"contains":  func(part, whole string) bool { return strings.Contains(whole, part) },
		"fail":      func(text string) (string, error) { return "", errors.New(text) },
		"int":       func(value any) int { number, _ := strconv.Atoi(fmt.Sprint(value)); return number },
		"sha256sum": func(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) },
		"default": func(other, value any) any {
			if truth, _ := template.IsTrue(value); truth {
				return value
			}
			return other
		},
		"required": func(text string, value any) (any, error) {
			if truth, _ := template.IsTrue(value); truth {
				return value, nil
			}
			return nil, errors.New(text)
		},
	})
	for name, text := range in.Templates {
		_, err := all.New(name).Parse(text)
		check(err)
	}
	out := map[string]string{}
	for name := range in.Templates {
		if strings.HasPrefix(name, "_") {
			continue
		}
		var text bytes.Buffer
		check(all.ExecuteTemplate(&text, name, map[string]any{"Values": in.Values, "Chart": in.Chart, "Release": in.Release}))
		out[name] = text.String()
	}
	check(json.NewEncoder(os.Stdout).Encode(out))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
