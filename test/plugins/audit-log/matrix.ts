import type { MatrixPart } from '../../conformance/matrix/cells.ts'

/** Is on in the matrix (test/conformance/matrix), where it only looks. */
export const matrix: MatrixPart = {
  toml: '[security.audit_log]\nenabled = true\nlevel = "debug"\nsink = "file"\nfile = "audit.jsonl"\n',
}
