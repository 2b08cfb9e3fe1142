import { ResultTooLarge } from '../../../base/errors/result-too-large.ts'
import type { SvcError } from '../../../base/errors/svc-error.ts'
import type { PreparedRows } from '../../../contract/prepared-stream.ts'
import type { Row } from '../../../contract/statement.ts'
import { complete } from '../../json/complete.ts'
import { fits } from '../../json/fits.ts'
import type { MemberShape } from '../../json/value-shape.ts'
import { isRewritten } from '../read/shape.ts'
import { noteErrors } from './note-errors.ts'
import type { StreamParts } from './open-stream.ts'

/**
 * Creates the function that checks and converts the rows of a stream of JSON objects.
 * @param item expected form of a row
 * @param key response key of the root field, for the paths of errors
 * @param maxBytes maximum length of a row; it is compared with the number of characters, not of bytes
 */
export function convertRows(
  prepared: Pick<PreparedRows, 'nullScan' | 'verify'>,
  item: MemberShape,
  key: string,
  maxBytes: number,
): StreamParts<string>['convert'] {
  const { nullScan, verify } = prepared
  const always = isRewritten(item.shape)

  function isFine(text: string): boolean {
    if (always || text === 'null') return false
    if (verify) return fits(text, item)
    for (const sign of nullScan) if (text.includes(sign)) return false
    return true
  }

  function textOf(row: Row, index: number, errors: SvcError[]): string {
    const text = row[0] ?? 'null'
    if (text.length > maxBytes) throw new ResultTooLarge(maxBytes)
    if (isFine(text)) return text
    const completed = complete(text, item, [key, index])
    noteErrors(errors, completed.errors, completed.text === null)
    return completed.text!
  }

  return (rows, index, errors) => rows.map((row, i) => textOf(row, index + i, errors))
}
