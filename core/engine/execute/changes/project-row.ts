import type { Dialect } from '../../../contract/dialect.ts'
import type { ObjectSelection } from '../../../contract/operation.ts'
import { type Completed, complete } from '../../json/complete.ts'
import { objectShape } from '../read/shape.ts'

/**
 * Applies a selection to a row that is available as JSON (`CommittedWrite.entity`, an event) and cannot be read again,
 * such as a deleted row. Values are checked and converted as in any response. Masks in the selection apply, but no
 * other access rules: the calling code must check that the client may see the row.
 * @param dialect `scope.database().dialect`
 * @param selection selection from `scope.engine.authorize`
 * @param document JSON text of an object
 * @param path path of the row in the response
 * @returns JSON text and errors with paths. The text is `null` if a non-null field is null, or if the document is not
 * an object
 */
export function projectRow(
  dialect: Pick<Dialect, 'project'>,
  selection: ObjectSelection,
  document: string,
  path: readonly (string | number)[],
): Completed {
  const text = dialect.project(selection, document)
  return text === null ? { text, errors: [] } : complete(text, objectShape(selection), path)
}
