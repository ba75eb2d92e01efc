import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Runs projects in the order of vitest.config.ts; vitest itself would sort them by name. */
export default class ListedOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const listed = this.ctx.projects.map(({ name }) => name);
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => listed.indexOf(a.project.name) - listed.indexOf(b.project.name));
  }
}
