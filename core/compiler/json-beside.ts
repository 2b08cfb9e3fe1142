/**
 * Returns the path of the JSON that belongs to a schema module: beside it, and named like it (`schema.json` for
 * `schema.py`).
 */
export function jsonBeside(module: string): string {
  return module.replace(/\.(?:[cm]?[jt]s|py)$/, '.json')
}
