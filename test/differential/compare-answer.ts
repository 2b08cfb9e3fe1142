import { memberOf, type Parsed, parseExactly, writeParsed } from './json-text.ts'
import type { Answer } from './reference/answer.ts'
import { isNumber } from './reference/numbers.ts'

/** Told of each cursor; `false`: it is that of another row. */
export type OnCursor = (answer: Extract<Answer, { kind: 'cursor' }>, cursor: string) => boolean

/** JSON text of an answer. */
export function answerText(answer: Answer): string {
  if (typeof answer === 'string') return answer
  if (isList(answer)) return `[${answer.map(answerText).join(',')}]`
  if (answer.kind === 'json') return answer.text
  if (answer.kind === 'cursor') return '(a cursor)'
  if (answer.kind === 'number') return `(${answer.digits}e-${answer.scale} / ${answer.of})`
  return `{${answer.members.map(([key, member]) => `${JSON.stringify(key)}:${answerText(member)}`).join(',')}}`
}

/**
 * Compares a response with what it should be: keys in their order, numbers by their text. Only a JSON scalar may have its
 * members in any order.
 * @returns the first difference with its path; `null` when there is none
 */
export function compareAnswer(answer: Answer, body: string, onCursor: OnCursor = () => true): string | null {
  if (body === `{"data":${answerText(answer)}}`) return null
  const response = parseExactly(body)
  const errors = memberOf(response, 'errors')
  if (errors !== null) return `errors: ${writeParsed(errors)}`
  const data = memberOf(response, 'data')
  return data === null ? `no data: ${body}` : differ(answer, data, 'data', onCursor)
}

function differ(answer: Answer, found: Parsed, path: string, onCursor: OnCursor): string | null {
  const say = (): string => `${path}: expected ${cut(answerText(answer))}, found ${cut(writeParsed(found))}`
  if (typeof answer === 'string') return answer === writeParsed(found) || sameText(answer, found) ? null : say()
  if (isList(answer)) {
    if (found.kind !== 'list' || found.items.length !== answer.length) return say()
    return first(answer.map((item, index) => differ(item, found.items[index]!, `${path}.${index}`, onCursor)))
  }
  if (answer.kind === 'json') return normal(parseExactly(answer.text)) === normal(found) ? null : say()
  if (answer.kind === 'cursor') {
    if (found.kind !== 'text' || found.value === '') return say()
    return onCursor(answer, found.value) ? null : `${path}: ${found.value} is the cursor of two rows`
  }
  if (answer.kind === 'number') {
    if (found.kind === 'text') return answer.quoted && isNumber(found.value, answer) ? null : say()
    return found.kind === 'number' && !answer.quoted && isNumber(found.text, answer) ? null : say()
  }
  if (found.kind !== 'object' || found.members.length !== answer.members.length) return say()
  return first(
    answer.members.map(([key, member], index) => {
      const [name, value] = found.members[index]!
      return key === name
        ? differ(member, value, `${path}.${key}`, onCursor)
        : `${path}: expected the key ${key}, found ${name}`
    }),
  )
}

/** The escapes of a text are free. */
function sameText(answer: string, found: Parsed): boolean {
  return found.kind === 'text' && answer.startsWith('"') && JSON.parse(answer) === found.value
}

/** JSON with its members in one order. */
function normal(parsed: Parsed): string {
  if (parsed.kind === 'list') return `[${parsed.items.map(normal).join(',')}]`
  if (parsed.kind !== 'object') return writeParsed(parsed)
  const members = new Map(parsed.members.map(([key, member]) => [key, normal(member)]))
  return `{${[...members]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, text]) => `${JSON.stringify(key)}:${text}`)
    .join(',')}}`
}

function first(differences: readonly (string | null)[]): string | null {
  return differences.find((each) => each !== null) ?? null
}

function isList(answer: Answer): answer is readonly Answer[] {
  return Array.isArray(answer)
}

function cut(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
