import type { Mutant } from './mutant.ts'

const STREAMS = ['test/plugins/arrow/arrow.test.ts']
const ENCODED = ['test/plugins/arrow/encode.test.ts']
const COMPILED = ['test/core/compiler/dataplanes.test.ts']

const encoded = (fault: string, file: string, find: string, replace: string): Mutant => ({
  fault,
  file: `plugins/arrow/encode/${file}.ts`,
  find,
  replace,
  tests: ENCODED,
})
const streamed = (fault: string, file: string, find: string, replace: string): Mutant => ({
  fault,
  file,
  find,
  replace,
  tests: STREAMS,
})
const compiled = (fault: string, find: string, replace: string): Mutant => ({
  fault,
  file: 'plugins/arrow/check-keys.ts',
  find,
  replace,
  tests: COMPILED,
})

/** Arrow queries: content and access of streams, and their absence on other fronts. */
export const ARROW: readonly Mutant[] = [
  encoded('A wide negative decimal is a positive one', 'wide-integers', 'this.words[at + 2] = -1', ''),
  encoded('Bits above the width are lost', 'wide-integers', 'if (BigInt.asIntN(bits, value) !== value)', 'if (false)'),
  encoded('Nulls are values', 'encoded', 'if (values[i] !== null)', 'if (true)'),
  encoded('Characters are bytes', 'encode-text', 'data.length === text.length', 'true'),
  encoded('Zones of points of time are not read', 'encode-timestamps', '- offsetOf(text, zone)', ''),
  encoded('Far points of time lose their last digits', 'encode-timestamps', 'Math.abs(seconds) < SAFE_SECONDS', 'true'),
  encoded(
    'Years before Christ are years after',
    'calendar',
    "text.endsWith('BC') ? 1 - given",
    "text.endsWith('BC') ? given",
  ),
  encoded('Digits behind the scale are cut', 'wide-integers', 'if (fraction.length > scale)', 'if (false)'),
  encoded('Small numbers lose zeros behind the point', 'wide-integers', 'value *= POWERS[missing]!', ''),
  encoded('The end of a day is a time of it', 'encode-times', 'if (seconds >= SECONDS_IN_DAY)', 'if (false)'),
  streamed(
    'Errors on the way look like the end',
    'plugins/arrow/serve-query.ts',
    'failure !== undefined && failure !== null',
    'false',
  ),
  streamed(
    'require_auth is ignored',
    'plugins/arrow/index.ts',
    'options.require_auth ? guarded(serve) : serve',
    'serve',
  ),
  streamed(
    'max_batch_rows is ignored',
    'plugins/arrow/arrow-writer.ts',
    'this.#rows.length >= this.#bounds.max_batch_rows',
    'false',
  ),
  streamed(
    'max_batch_bytes is ignored',
    'plugins/arrow/arrow-writer.ts',
    'this.#size >= this.#bounds.max_batch_bytes',
    'false',
  ),
  streamed(
    'Rows of other tables are columns',
    'plugins/arrow/serve-query.ts',
    "field.read?.from === 'relation'",
    'false',
  ),
  streamed('A bare numeric is cut to a scale', 'plugins/arrow/column-form.ts', 'precision === 0 ||', ''),
  streamed(
    'GraphQL shows columnar types',
    'plugins/graphql/types/graphql-types.ts',
    "type.dataplane === 'graphql'",
    'true',
  ),
  streamed(
    'GraphQL serves columnar queries',
    'core/schema/link/link.ts',
    "queries.filter(({ dataplane }) => dataplane === 'graphql')",
    'queries',
  ),
  streamed('A stream that ends keeps its place', 'plugins/arrow/serve-query.ts', 'stream.onClose(free)', ''),
  streamed('A refused request keeps its place', 'plugins/arrow/serve-query.ts', '      free()\n', ''),
  compiled('Other fronts lead to columnar types', '!isColumnar(query) && gives(query)', 'false'),
  compiled(
    'Rows of columnar types hold objects',
    "kind !== 'object' && kind !== 'interface' && kind !== 'union'",
    'true',
  ),
]
