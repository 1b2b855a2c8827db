// Command sbom writes the bill of materials of a Go binary from the build information that the go
// command stored in it: CycloneDX as JSON, byte-identical for the same binary.
//
//	sbom BINARY VERSION > BINARY.cdx.json
package main

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) != 2 {
		return errors.New("usage: sbom BINARY VERSION")
	}
	info, err := buildinfo.ReadFile(args[0])
	if err != nil {
		return err
	}
	encoder := cdx.NewBOMEncoder(out, cdx.BOMFileFormatJSON).SetPretty(true)
	return encoder.Encode(bill(filepath.Base(args[0]), args[1], info))
}

// bill returns the bill of materials. It has no serial number and no time, because these would differ
// from run to run.
func bill(name, version string, info *debug.BuildInfo) *cdx.BOM {
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Component: &cdx.Component{
		BOMRef: name, Type: cdx.ComponentTypeApplication, Name: name, Version: version, PackageURL: "pkg:golang/" + info.Main.Path + "@" + version,
	}}
	components := []cdx.Component{library("std", info.GoVersion)}
	for _, dep := range info.Deps {
		if dep.Replace != nil && dep.Replace.Version == "" {
			components = append(components, library(dep.Path, version)) // of this repository
			continue
		}
		components = append(components, library(dep.Path, dep.Version))
	}
	refs := make([]string, len(components))
	for i, c := range components {
		refs[i] = c.BOMRef
	}
	bom.Components = &components
	bom.Dependencies = &[]cdx.Dependency{{Ref: name, Dependencies: &refs}}
	return bom
}

func library(path, version string) cdx.Component {
	purl := "pkg:golang/" + path + "@" + version
	return cdx.Component{BOMRef: purl, Type: cdx.ComponentTypeLibrary, Name: path, Version: version, PackageURL: purl}
}
