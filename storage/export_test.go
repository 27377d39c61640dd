package storage

// ParseManifest returns the names in the manifest of a backup.
func ParseManifest(text []byte) ([]string, error) {
	m, err := parseManifest(text)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(m.files))
	for i, f := range m.files {
		names[i] = f.name
	}
	return names, nil
}
