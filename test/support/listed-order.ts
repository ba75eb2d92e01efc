import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Projects run in the order in which vitest.config.ts lists them, where vitest itself would go by their names. */
export default class ListedOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const listed = this.ctx.projects.map(({ name }) => name);
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => listed.indexOf(a.project.name) - listed.indexOf(b.project.name));
  }
}
