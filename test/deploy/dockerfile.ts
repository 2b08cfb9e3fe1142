import { read } from '../repo/source-files.ts'

export interface Instruction {
  readonly name: string
  readonly text: string
}

/** The instructions of deploy/docker/Dockerfile, continued lines joined, by stage. */
export function readDockerfile(): readonly (readonly Instruction[])[] {
  const lines = read('deploy/docker/Dockerfile')
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const stages: Instruction[][] = [[]]
  for (const line of lines) {
    const [, name = '', text = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
    if (name === 'FROM') stages.push([])
    stages.at(-1)!.push({ name, text })
  }
  return stages.slice(1)
}

/** What the image runs with. */
export interface ImageFacts {
  readonly env: Readonly<Record<string, string>>
  readonly command: readonly string[]
  readonly healthCheck: readonly string[]
  readonly user: string
  readonly port: number
}

export function readImage(): ImageFacts {
  const last = readDockerfile().at(-1)!
  const of = (name: string): string => last.findLast((each) => each.name === name)?.text ?? ''
  const pairs = last.filter(({ name }) => name === 'ENV').flatMap(({ text }) => text.split(/\s+/))
  return {
    env: Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string])),
    command: JSON.parse(of('CMD')) as string[],
    healthCheck: JSON.parse(/CMD (\[.*\])$/.exec(of('HEALTHCHECK'))?.[1] ?? '[]') as string[],
    user: of('USER'),
    port: Number(of('EXPOSE')),
  }
}
