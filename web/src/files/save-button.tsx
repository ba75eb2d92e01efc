import { Button } from '../ui/button.tsx';

export function SaveButton() {
  return <Button disabled>Save</Button>;
}
