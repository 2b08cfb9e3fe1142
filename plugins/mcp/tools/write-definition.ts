import { hasAnnotations, hasStructuredContent, hasTitles } from '../protocol/versions.ts'
import type { ToolDefinition } from './tool.ts'

/** JSON texts of definitions, by revision: `tools/list` concatenates them. */
const written = new WeakMap<ToolDefinition, Map<string, string>>()

/** Writes the definition of a tool as JSON, for clients of a revision. */
export function writeDefinition(definition: ToolDefinition, version: string): string {
  let texts = written.get(definition)
  if (texts === undefined) {
    texts = new Map()
    written.set(definition, texts)
  }
  let text = texts.get(version)
  if (text === undefined) {
    text = JSON.stringify(definitionFor(definition, version))
    texts.set(version, text)
  }
  return text
}

function definitionFor(definition: ToolDefinition, version: string): object {
  const { name, title, description, inputSchema, outputSchema, annotations } = definition
  return {
    name,
    title: hasTitles(version) ? title : undefined,
    description,
    inputSchema,
    outputSchema: hasStructuredContent(version) ? outputSchema : undefined,
    annotations: hasAnnotations(version) ? annotations : undefined,
  }
}
