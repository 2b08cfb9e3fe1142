import type { Manifest } from 'svc'

const manifest: Manifest = {
  name: 'duckdb',
  version: '1.0.0',
  kernelApi: 1,
  description: 'Driver for DuckDB files (`duckdb:` URLs), which are only read.',
  databaseSchemes: ['duckdb'],
}
export default manifest
