import { hasAnnotations, hasStructuredContent, hasTitles } from '../protocol/versions.ts'
import type { ToolDefinition } from './tool.ts'

/** JSON texts of definitions, by revision: `tools/list` concatenates them. */
const written = new WeakMap<ToolDefinition, Map<string, string>>()

/**
 * Writes an MCP tool as JSON for a protocol revision. The text is cached.
 * @param version protocol revision of the client
 */
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
