import type { MatrixPart } from '../../conformance/matrix/cells.ts'

/** Is on in the matrix (test/conformance/matrix): an answer that was kept for one is told to no other. */
export const matrix: MatrixPart = {
  toml: '[svc.caching]\nenabled = true\n',
  harmless: { 'response-cache': 'keeps answers for callers who see the same (test/plugins/response-cache)' },
}
