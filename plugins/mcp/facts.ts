/** What the server says of itself. */
export interface Facts {
  readonly serverInfo: { readonly name: string; readonly version: string }
  readonly capabilities: object
  readonly instructions: string | undefined
}

type Config = Readonly<Record<string, unknown>>

export function factsOf(config: Config, instructions: string | undefined): Facts {
  const {
    name = 'svc',
    version = '1.0.0',
    description,
  } = (config.project ?? {}) as {
    readonly name?: string
    readonly version?: string
    readonly description?: string
  }
  const listed = { listChanged: true }
  return {
    serverInfo: { name, version },
    capabilities: { tools: listed, resources: listed, prompts: listed, completions: {} },
    instructions: instructions ?? description,
  }
}
