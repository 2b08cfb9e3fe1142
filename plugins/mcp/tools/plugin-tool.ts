import { hasStructuredContent } from '../protocol/versions.ts'
import { writeOwn } from '../protocol/write-own.ts'
import type { McpTool } from './mcp-tool.ts'
import type { Tool } from './tool.ts'

/** Converts an MCP tool of another plugin to the form in which svc calls tools. */
export function pluginTool(given: McpTool): Tool {
  const { name, title, description, inputSchema, outputSchema, annotations, streams = false } = given
  return {
    definition: { name, title, description, inputSchema, outputSchema, annotations },
    streams: streams ? 'always' : 'never',
    mayCall: (exchange) => given.mayCall?.(exchange) ?? true,
    async call(call) {
      const { structuredContent, ...rest } = await given.call(call)
      const isKnown = structuredContent !== undefined && hasStructuredContent(call.version)
      return writeOwn(isKnown ? { ...rest, structuredContent } : rest)
    },
  }
}
