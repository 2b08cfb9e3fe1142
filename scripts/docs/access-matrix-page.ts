import { matrixParts } from '../../test/conformance/matrix/parts.ts'
import { GENERATED, type Page, toTable } from './page.ts'

/** The matrix that `test/conformance/matrix` holds: every rule on every way in. */
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
# Every rule on every way in

No rule lives in a front: each way in runs the same hooks. \`test/conformance/matrix\` holds every rule against every way in, on one service with all plugins. **kept**: who lacks the right is told nothing, and
a twin who has it is told all. **shut**: nobody is told anything there, for the reason below. **told**: the rule says nothing about
it, for the reason below. Where two queries give a type, the rules of the type are held against both, and those of a query against that one:
the other shows its rows to the callers that the first keeps out.

${toTable(['Rule', 'Plugin', ...ways.map(({ name }) => name)], rows)}

${notes.map((note, index) => `${index + 1}. ${note}`).join('\n')}

These give no data to anybody, and are asked in every row all the same:

${toTable(['Way in', 'What it is'], bare)}

These plugins see requests and keep nobody out:

${toTable(
  ['Plugin', 'What it does'],
  Object.entries(harmless).map(([name, what]) => [name, what]),
)}

Which rows are seen, on which way through the data, is a grid of its own: \`test/conformance/access\`. A plugin adds its rules and ways in by \`test/plugins/NAME/matrix.ts\`; one that hooks a request or mounts a route
without a row or column fails the test.
`
  return { path: 'docs/explain/access-matrix.md', content }
}
