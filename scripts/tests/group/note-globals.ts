const EVENTS = [
  'exit',
  'beforeExit',
  'uncaughtException',
  'unhandledRejection',
  'warning',
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
]

/** Records the state that the files of a process share. `changes` lists the differences, and restores them if possible. */
export function noteGlobals(): { changes(): readonly string[] } {
  const env = { ...process.env }
  const cwd = process.cwd()
  const listeners = EVENTS.map((event) => process.listenerCount(event))
  const functions = [Date.now, performance.now, globalThis.fetch, Math.random, process.stdout.write]
  return {
    changes() {
      const left: string[] = []
      for (const name of new Set([...Object.keys(env), ...Object.keys(process.env)])) {
        if (process.env[name] === env[name]) continue
        left.push(`process.env.${name}`)
        if (env[name] === undefined) delete process.env[name]
        else process.env[name] = env[name]
      }
      if (process.cwd() !== cwd) {
        left.push('the working directory')
        process.chdir(cwd)
      }
      EVENTS.forEach((event, i) => {
        if (process.listenerCount(event) > listeners[i]!) left.push(`a listener for ${event} of process`)
      })
      const now = [Date.now, performance.now, globalThis.fetch, Math.random, process.stdout.write]
      now.forEach((value, i) => {
        if (value !== functions[i]) left.push(`${functions[i]!.name} of its own`)
      })
      return left
    },
  }
}
