/** Parameters of paths and query strings: their names, lists, quoted values, and values of a declared type. */

export { readQuoted, splitList } from '../../base/util/split-list.ts'
export { textValue } from '../../engine/inputs/text-value.ts'
export { type QueryPair, readPairs } from '../../service/http/query-pairs.ts'
