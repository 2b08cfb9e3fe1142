import { matrixParts } from '../../test/conformance/matrix/parts.ts'
import { GENERATED, type Page, toTable } from './page.ts'

/** The matrix of `test/conformance/matrix`: every rule on every entry point. */
export async function renderAccessMatrixPage(): Promise<Page> {
  const { rules, entrances, harmless } = await matrixParts()
  const ways = entrances.filter(({ nothing }) => nothing === undefined)
  const bare = entrances.flatMap(({ name, nothing }) => (nothing === undefined ? [] : [[name, nothing]]))
  const notes: string[] = []
  const rows = rules.map(({ name, plugins, field, shut = {} }) => {
    const cells = ways.map((way) => {
      const isOpen = field !== undefined && way.author !== undefined
      const reason = isOpen ? way.author : shut[way.name]
      if (reason === undefined) return 'kept'
      if (!notes.includes(reason)) notes.push(reason)
      return `${isOpen ? 'told' : 'shut'} (${notes.indexOf(reason) + 1})`
    })
    return [name, plugins.join(', '), ...cells]
  })
  const content = `${GENERATED}
# Access matrix: every rule on every front

No front contains a rule: each entry point runs the same hooks. \`test/conformance/matrix\` tests every rule on every entry point, on one service with all plugins.

- **kept**: a caller without the right gets no data, and an equal caller with the right gets all of it.
- **shut**: no caller gets data there, for the reason below.
- **told**: the rule does not apply there, for the reason below.

If two queries return a type, the rules of the type apply to both, and those of a query only to that query: the other shows its rows to callers that the first
one refuses.

${toTable(['Rule', 'Plugin', ...ways.map(({ name }) => name)], rows)}

${notes.map((note, index) => `${index + 1}. ${note}`).join('\n')}

These entry points return no data, and are tested in every row too:

${toTable(['Entry point', 'Meaning'], bare)}

These plugins process requests and refuse no caller:

${toTable(
  ['Plugin', 'Effect'],
  Object.entries(harmless).map(([name, what]) => [name, what]),
)}

A separate grid, \`test/conformance/access\`, tests the visible rows on every path through the data. A plugin adds its rules and entry points in \`test/plugins/NAME/matrix.ts\`; a plugin that hooks a request or mounts a
route without a row or column fails the test.
`
  return { path: 'docs/explain/access-matrix.md', content }
}
