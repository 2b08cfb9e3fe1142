import type { MatrixPart } from '../../conformance/matrix/cells.ts'

/** Is off in the matrix (test/conformance/matrix). */
export const matrix: MatrixPart = {
  off: 'it looks on, and registers itself for the whole process of the test',
}
