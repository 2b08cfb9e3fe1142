import { randomUUID } from 'node:crypto'

/**
 * Response key of what is taken out of its object again: a number of rows, the node of an edge. Nobody can know it, so that
 * no stored value is taken for it.
 */
export const MARK = `~${randomUUID().slice(0, 13)}`

const COUNTED = new RegExp(`\\{"${MARK}":([^{}",]*)\\}`, 'g')
/** As this process writes it, and PostgreSQL's `json`; `jsonb` and other databases put spaces in between. */
const TIGHT = `},{"${MARK}":`
const BETWEEN = new RegExp(`\\},?\\s*\\{"${MARK}":`, 'g')

/** `{"~mark":5}` → `5`, wherever it stands. */
export function withoutCountMarks(text: string): string {
  return text.replace(COUNTED, '$1')
}

/** `[{"~mark":{…}},{"~mark":{…}}]` → `{…},{…}`: the nodes of edges that hold nothing else. */
export function nodesOfEdges(list: string): string {
  const first = list.indexOf(`{"${MARK}":`)
  if (first === -1) return ''
  const inner = list
    .slice(first + MARK.length + 4, list.lastIndexOf(']'))
    .trimEnd()
    .slice(0, -1)
  // Looked for as a plain text it is found several times faster than as an expression.
  const nodes = inner.split(TIGHT).join(',')
  return nodes.includes(MARK) ? inner.replace(BETWEEN, ',') : nodes
}
