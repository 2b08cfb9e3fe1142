import { afterMutation, authorFunction, beforeMutation, middleware } from 'svc/authoring'

export const tenant = middleware((request, next) => {
  request.context.tenant = request.auth?.claims.tenant
  return next(request)
})
export const log = middleware((request, next) => next(request))
export const quota = beforeMutation('createUser', () => {})
export const audit = afterMutation('createUser', () => {})
export const even = authorFunction('validator', 'even', (value: number) => value % 2 === 0)
