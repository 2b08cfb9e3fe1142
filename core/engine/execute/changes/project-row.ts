import type { Dialect } from '../../../contract/dialect.ts'
import type { ObjectSelection } from '../../../contract/operation.ts'
import { type Completed, complete } from '../../json/complete.ts'
import { objectShape } from '../read/shape.ts'

/**
 * Applies a selection to a row in the form of a JSON document (`CommittedWrite.entity`, an event), for rows that cannot
 * be read again. Values are checked and converted as in any response. Apart from the masks in the selection no rules
 * are applied: the caller must check access to the row.
 * @param dialect `scope.database().dialect`
 * @param selection selection from `scope.engine.authorize`
 * @param document JSON text of an object
 * @param path path of the row in the response
 * @returns text and errors with paths; the text is `null` when a non-null field is null, or the document is no object
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
