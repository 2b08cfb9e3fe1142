import { enterAs, readIdentity } from '../../core/doors/front.ts'
import type { Scope } from '../../core/doors/plugin.ts'
import type { McpApi, McpListing } from './api.ts'
import type { Changes } from './changes.ts'
import { answer, type MethodParts } from './methods.ts'
import { MODERN_VERSION } from './protocol/versions.ts'

/** What other plugins, and the command, have of this one. */
export function createMcp(
  scope: Pick<Scope, 'pipeline' | 'plugin'>,
  methods: MethodParts,
  changes: Changes,
  path: string | null,
  serve: McpApi['serve'],
): McpApi {
  const { offers } = methods
  const whole = { ...methods, pageSize: Number.MAX_SAFE_INTEGER }
  return {
    path,
    serve,
    tool: (tool) => offers.addTool(tool),
    resource: (resource) => offers.addResource(resource),
    resourceTemplate: (template) => void offers.templates.push(template),
    prompt: (prompt) => offers.addPrompt(prompt),
    changed: (what) => changes.tell(what),
    listFor: (as) =>
      enterAs(scope.pipeline, readIdentity(as, scope.plugin), async (exchange): Promise<McpListing> => {
        const client = { exchange, version: MODERN_VERSION, capabilities: {}, notify: null }
        const ask = async (method: string) =>
          JSON.parse(await answer(whole, { kind: 'request', id: 0, method, params: {} }, client))
        const { tools } = await ask('tools/list')
        const { resources } = await ask('resources/list')
        const { prompts } = await ask('prompts/list')
        return { tools, resources, prompts }
      }),
  }
}
