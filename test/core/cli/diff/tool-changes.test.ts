import t from 'tap'
import { compareTools } from '../../../../core/cli/diff/tool-changes.ts'

const tools = (...given: readonly object[]) => ({ tools: given })
const tool = (more: object = {}) => ({
  name: 'artists',
  description: 'Reads artists.',
  inputSchema: { type: 'object', properties: { limit: { type: 'integer' } }, additionalProperties: false },
  outputSchema: { type: 'object', properties: { artists: { type: 'array' } } },
  annotations: { readOnlyHint: true },
  fields: ['id', 'name'],
  ...more,
})

const CASES: readonly (readonly [rule: string, level: string, place: string, before: object, after: object])[] = [
  ['TOOL_REMOVED', 'breaking', 'artists', tools(tool()), tools()],
  ['TOOL_ADDED', 'safe', 'artists', tools(), tools(tool())],
  ['TOOL_FIELD_REMOVED', 'breaking', 'artists: name', tools(tool()), tools(tool({ fields: ['id'] }))],
  ['TOOL_FIELD_ADDED', 'safe', 'artists: age', tools(tool()), tools(tool({ fields: ['id', 'name', 'age'] }))],
  ['TOOL_TEXT_CHANGED', 'safe', 'artists', tools(tool()), tools(tool({ description: 'Reads.' }))],
  ['TOOL_HINT_CHANGED', 'dangerous', 'artists', tools(tool()), tools(tool({ annotations: { readOnlyHint: false } }))],
  [
    'MEMBER_REMOVED',
    'breaking',
    'artists: input.limit',
    tools(tool()),
    tools(tool({ inputSchema: { type: 'object', properties: {}, additionalProperties: false } })),
  ],
  [
    'TYPE_CHANGED',
    'breaking',
    'artists: output.artists',
    tools(tool()),
    tools(tool({ outputSchema: { type: 'object', properties: { artists: { type: 'string' } } } })),
  ],
]

for (const [rule, level, place, before, after] of CASES) {
  t.test(`${rule} is ${level}`, async (t) => {
    const changes = compareTools({ ...before }, { ...after })
    t.match(changes, [{ consumers: 'mcp', rule, level, place }])
    t.equal(changes.length, 1, JSON.stringify(changes))
    t.strictSame(compareTools({ ...before }, { ...before }), [])
  })
}
