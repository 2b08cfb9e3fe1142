import type { Config } from '../../../core/doors/plugin.ts'

/** Description of the server in the reply to `initialize` and `server/discover`. */
export interface Facts {
  readonly serverInfo: { readonly name: string; readonly version: string }
  readonly capabilities: object
  readonly instructions: string | undefined
}

export function factsOf(project: Config['project'], instructions: string | undefined): Facts {
  const { name, version, description } = project
  const listed = { listChanged: true }
  return {
    serverInfo: { name, version },
    capabilities: { tools: listed, resources: listed, prompts: listed, completions: {} },
    instructions: instructions ?? description,
  }
}
