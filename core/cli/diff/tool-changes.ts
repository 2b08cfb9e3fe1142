import { type Change, collectChanges, type Report, show } from './change.ts'
import { compareJsonSchemas } from './json-schema-changes.ts'
import { type Json, list } from './normalize-json-schema.ts'
import type { SchemaComparison } from './schema-comparison.ts'

/** Compares two versions of the service's list of MCP tools, for agents and for prompts that name the tools. */
export function compareTools(before: Json, after: Json): readonly Change[] {
  return collectChanges('mcp', (report) => {
    const [old, now] = [toolsOf(before), toolsOf(after)]
    for (const name of old.keys())
      if (!now.has(name)) report('breaking', 'TOOL_REMOVED', name, `The tool ${name} was removed.`)
    for (const [name, tool] of now) {
      const known = old.get(name)
      if (known === undefined) report('safe', 'TOOL_ADDED', name, `The tool ${name} was added.`)
      else compareTool(known, tool, name, report)
    }
  })
}

function toolsOf({ tools }: Json): ReadonlyMap<string, Json> {
  return new Map(list(tools).map((tool) => [String((tool as Json).name), tool as Json]))
}

function compareTool(before: Json, after: Json, name: string, report: Report): void {
  const comparison = (direction: 'in' | 'out'): SchemaComparison => ({
    direction,
    before: resolverOf(before, direction),
    after: resolverOf(after, direction),
    seen: new Set(),
    report,
  })
  compareJsonSchemas(before.inputSchema, after.inputSchema, `${name}: input`, comparison('in'))
  if (before.outputSchema !== undefined && after.outputSchema !== undefined)
    compareJsonSchemas(before.outputSchema, after.outputSchema, `${name}: output`, comparison('out'))
  const [old, now] = [list(before.fields), list(after.fields)]
  for (const field of old.filter((one) => !now.includes(one)))
    report('breaking', 'TOOL_FIELD_REMOVED', `${name}: ${field}`, `Agents cannot request the field ${field} any more.`)
  for (const field of now.filter((one) => !old.includes(one)))
    report('safe', 'TOOL_FIELD_ADDED', `${name}: ${field}`, `Agents can request the field ${field}.`)
  for (const text of ['title', 'description'])
    if (before[text] !== after[text])
      report('safe', 'TOOL_TEXT_CHANGED', name, `${text} changed from ${show(before[text])} to ${show(after[text])}.`)
  compareHints(before, after, name, report)
}

/** Clients call tools without a confirmation by these hints. */
function compareHints(before: Json, after: Json, name: string, report: Report): void {
  const [old, now] = [before, after].map(({ annotations }) => (annotations ?? {}) as Json) as [Json, Json]
  for (const hint of new Set([...Object.keys(old), ...Object.keys(now)]))
    if (old[hint] !== now[hint])
      report('dangerous', 'TOOL_HINT_CHANGED', name, `${hint} changed from ${show(old[hint])} to ${show(now[hint])}.`)
}

function resolverOf(tool: Json, direction: 'in' | 'out'): (ref: string) => unknown {
  const root = direction === 'in' ? tool.inputSchema : tool.outputSchema
  return (ref) =>
    ref === '#'
      ? root
      : ref
          .replace(/^#\//, '')
          .split('/')
          .reduce<unknown>((at, key) => (at as Json | undefined)?.[key], root)
}
